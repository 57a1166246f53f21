package io.moonpool.protocol.mooncake;

import io.moonpool.model.Outcome;
import io.moonpool.protocol.call.Answer;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.wire.Choices;
import io.moonpool.protocol.wire.Codec;
import io.moonpool.protocol.wire.Containers;
import io.moonpool.protocol.wire.Message;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes the calls of Mooncake's master, and lists them. Answers are a result or the number of an
 * error; a batch answers one for each item.
 */
public final class MooncakeCalls {
  /** What precedes the name of a call where its function id is made. */
  private static final String PREFIX = "mooncake::WrappedMasterService::";

  private MooncakeCalls() {}

  /** Every call of the master. */
  public static List<Call<?, ?>> all() {
    return Stream.of(ObjectCalls.all(), SegmentCalls.all(), DiskCalls.all(), TransferCalls.all())
        .flatMap(List::stream)
        .toList();
  }

  /** A call that answers one result. */
  static <Q, R> Call<Q, R> one(String name, Codec<Q> arguments, Codec<R> result) {
    return Call.of(PREFIX + name, Message.of(arguments), Answer.orCode(result));
  }

  /** A call without arguments that answers one result. */
  static <R> Call<NoArguments, R> bare(String name, Codec<R> result) {
    return Call.of(PREFIX + name, Message.empty(NoArguments.NONE), Answer.orCode(result));
  }

  /** A call that answers a result, or the number of an error, for each item. */
  static <Q, R> Call<Q, List<Outcome<R>>> each(String name, Codec<Q> arguments, Codec<R> result) {
    return plain(name, arguments, Containers.list(Choices.outcome(result)));
  }

  /** A call that cannot tell that it failed. */
  static <Q, R> Call<Q, R> plain(String name, Codec<Q> arguments, Codec<R> result) {
    return Call.of(PREFIX + name, Message.of(arguments), Answer.plain(result));
  }
}
