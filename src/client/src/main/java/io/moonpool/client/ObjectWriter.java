package io.moonpool.client;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.vertx.core.Future;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Puts and upserts: single objects in one round, batches in several, each as large as the window
 * lets it. Runs on the client's loop.
 */
final class ObjectWriter {
  private static final int KEYS_PER_ROUND = 512;

  /** Between two tries to find space; the master itself waits in each of them. */
  private static final long SPACE_RETRY_MILLIS = 50;

  /** Rounds of one write, each on other nodes: more dead ones at once than that are an outage. */
  private static final int MAX_ATTEMPTS = 4;

  private final ClientCore core;
  private final String tenant;
  private final Call<StartObjects, List<Outcome<StartedObject>>> start;

  private ObjectWriter(
      ClientCore core, String tenant, Call<StartObjects, List<Outcome<StartedObject>>> start) {
    this.core = core;
    this.tenant = tenant;
    this.start = start;
  }

  static ObjectWriter putting(ClientCore core, String tenant) {
    return new ObjectWriter(core, tenant, Calls.PUT_START);
  }

  static ObjectWriter upserting(ClientCore core, String tenant) {
    return new ObjectWriter(core, tenant, Calls.UPSERT_START);
  }

  /** Writes one object. */
  Future<Void> write(String key, MemorySegment value, WriteOptions options) {
    return round(List.of(key), List.of(value), withHost(options))
        .compose(
            failures -> {
              Throwable failure = failures[0];
              return failure == null ? Future.succeededFuture() : Future.failedFuture(failure);
            });
  }

  /** Writes a batch. */
  Future<List<Outcome<Void>>> write(
      List<String> keys, List<MemorySegment> values, WriteOptions options) {
    List<String> groups = options.replicate().groupIds();
    if (keys.size() != values.size() || (!groups.isEmpty() && groups.size() != keys.size())) {
      return core.loop()
          .failed(
              ErrorCode.INVALID_PARAMS,
              "a batch needs one value and one group id, or none at all, for each of its "
                  + keys.size()
                  + " keys");
    }
    if (keys.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    WriteOptions full = withHost(options);
    List<Future<@Nullable Throwable[]>> rounds = new ArrayList<>();
    for (int from = 0; from < keys.size(); ) {
      int to = roundEnd(values, from);
      rounds.add(round(keys.subList(from, to), values.subList(from, to), forRound(full, from, to)));
      from = to;
    }
    return Future.join(rounds).transform(joined -> merge(rounds, values));
  }

  /**
   * A round under the window, and more of them for what found no space while the caller has
   * patience. Waiting takes no share of the window.
   */
  private Future<@Nullable Throwable[]> round(
      List<String> keys, List<MemorySegment> values, WriteOptions options) {
    Future<@Nullable Throwable[]> first = windowed(keys, values, options);
    return options.spaceWaitMillis() == 0
        ? first
        : withPatience(
            first,
            keys,
            values,
            options,
            System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.spaceWaitMillis()));
  }

  private Future<@Nullable Throwable[]> withPatience(
      Future<@Nullable Throwable[]> round,
      List<String> keys,
      List<MemorySegment> values,
      WriteOptions options,
      long untilNanos) {
    return round.compose(
        failures -> {
          int[] homeless = having(failures, ErrorCode.NO_AVAILABLE_HANDLE);
          if (homeless.length == 0 || System.nanoTime() - untilNanos >= 0) {
            return Future.succeededFuture(failures);
          }
          core.counters().spaceWaits(homeless.length);
          List<String> keysAgain = pick(keys, homeless);
          List<MemorySegment> valuesAgain = pick(values, homeless);
          WriteOptions optionsAgain = forItems(options, homeless);
          Future<@Nullable Throwable[]> next =
              core.loop()
                  .pause(SPACE_RETRY_MILLIS)
                  .compose(waited -> windowed(keysAgain, valuesAgain, optionsAgain));
          return withPatience(next, keysAgain, valuesAgain, optionsAgain, untilNanos)
              .map(later -> merged(failures, homeless, later));
        });
  }

  private Future<@Nullable Throwable[]> windowed(
      List<String> keys, List<MemorySegment> values, WriteOptions options) {
    long bytes = 0;
    for (MemorySegment value : values) {
      bytes += value.byteSize();
    }
    long taken = core.window().clamp(bytes);
    Future<Void> turn = core.window().take(taken);
    Future<@Nullable Throwable[]> result =
        turn.succeeded()
            ? rounds(keys, values, options)
            : turn.compose(granted -> rounds(keys, values, options));
    return result.onComplete(done -> core.window().give(taken));
  }

  /**
   * One round, and more of them for what did not arrive: its node may have died, or just mounted
   * anew. The master is asked for space on other nodes. Where there is none, the last round may use
   * any: the node may be there again.
   */
  private Future<@Nullable Throwable[]> rounds(
      List<String> keys, List<MemorySegment> values, WriteOptions options) {
    long untilNanos =
        System.nanoTime()
            + TimeUnit.MILLISECONDS.toNanos(core.master().master().writeGrantMillis());
    return rounds(keys, values, options, new Attempt(1, new long[0], untilNanos));
  }

  /**
   * A try to write.
   *
   * @param number from 1
   * @param avoided generations of segments that could not be reached in earlier ones
   * @param untilNanos no other one begins after that
   */
  private record Attempt(int number, long[] avoided, long untilNanos) {
    boolean isLast() {
      return number >= MAX_ATTEMPTS || System.nanoTime() - untilNanos >= 0;
    }

    Attempt avoiding(Set<Long> unreachable) {
      long[] all =
          LongStream.concat(unreachable.stream().mapToLong(Long::longValue), LongStream.of(avoided))
              .distinct()
              .limit(StartObjects.MAX_AVOIDED)
              .toArray();
      return new Attempt(number + 1, all, untilNanos);
    }

    Attempt anywhere() {
      return new Attempt(MAX_ATTEMPTS, new long[0], untilNanos);
    }
  }

  private Future<@Nullable Throwable[]> rounds(
      List<String> keys, List<MemorySegment> values, WriteOptions options, Attempt attempt) {
    WriteRound round =
        new WriteRound(core, tenant, keys, values, options, outOfReach(attempt.avoided));
    return round
        .run(start)
        .compose(
            failures ->
                attempt.isLast()
                    ? Future.succeededFuture(failures)
                    : again(
                            having(failures, ErrorCode.TRANSFER_FAIL),
                            attempt.avoiding(round.unreachable()),
                            failures,
                            keys,
                            values,
                            options)
                        .compose(
                            merged ->
                                again(
                                    attempt.avoided.length == 0
                                        ? new int[0]
                                        : having(merged, ErrorCode.NO_AVAILABLE_HANDLE),
                                    attempt.anywhere(),
                                    merged,
                                    keys,
                                    values,
                                    options)));
  }

  /** With TLS the memory of Mooncake's clients is out of reach at any time: they have none. */
  private long[] outOfReach(long[] avoided) {
    return core.options().dataTls()
        ? LongStream.concat(LongStream.of(MooncakeEndpoint.ALL_LENT), LongStream.of(avoided))
            .limit(StartObjects.MAX_AVOIDED)
            .toArray()
        : avoided;
  }

  /** Writes some of a round once more. */
  private Future<@Nullable Throwable[]> again(
      int[] some,
      Attempt attempt,
      @Nullable Throwable[] failures,
      List<String> keys,
      List<MemorySegment> values,
      WriteOptions options) {
    if (some.length == 0) {
      return Future.succeededFuture(failures);
    }
    core.counters().repeatedWrites(some.length);
    return rounds(pick(keys, some), pick(values, some), forItems(options, some), attempt)
        .map(later -> merged(failures, some, later));
  }

  /** Which of the writes failed like that. */
  private static int[] having(@Nullable Throwable[] failures, ErrorCode code) {
    return IntStream.range(0, failures.length)
        .filter(
            i -> {
              Throwable failure = failures[i];
              return failure != null && StoreException.codeOf(failure) == code;
            })
        .toArray();
  }

  /** What became of all writes when some of them were done again. */
  private static @Nullable Throwable[] merged(
      @Nullable Throwable[] failures, int[] indices, @Nullable Throwable[] later) {
    for (int i = 0; i < indices.length; i++) {
      failures[indices[i]] = later[i];
    }
    return failures;
  }

  private static WriteOptions forItems(WriteOptions options, int[] indices) {
    List<String> groups = options.replicate().groupIds();
    return groups.isEmpty() ? options : withGroups(options, pick(groups, indices));
  }

  private static <T> List<T> pick(List<T> from, int[] indices) {
    return IntStream.of(indices).mapToObj(from::get).toList();
  }

  /** As many values as fit into a quarter of the window, so that rounds overlap; at least one. */
  private int roundEnd(List<MemorySegment> values, int from) {
    long budget = core.options().windowBytes() / 4;
    int to = from;
    do {
      budget -= values.get(to).byteSize();
      to++;
    } while (to < values.size()
        && to - from < KEYS_PER_ROUND
        && values.get(to).byteSize() <= budget);
    return to;
  }

  private WriteOptions withHost(WriteOptions options) {
    ReplicateConfig config = options.replicate();
    String hostId = core.options().hostId();
    if (!config.hostId().isEmpty() || hostId.isEmpty()) {
      return options;
    }
    return options.withReplicate(
        new ReplicateConfig(
            config.replicaNum(),
            config.softPinAction(),
            config.softPinTtlMillis(),
            config.hardPin(),
            config.preferredSegments(),
            config.preferAllocInSameNode(),
            config.dataType(),
            hostId,
            config.groupIds()));
  }

  private static WriteOptions forRound(WriteOptions options, int from, int to) {
    List<String> groups = options.replicate().groupIds();
    return groups.isEmpty() ? options : withGroups(options, groups.subList(from, to));
  }

  private static WriteOptions withGroups(WriteOptions options, List<String> groups) {
    ReplicateConfig config = options.replicate();
    return options.withReplicate(
        new ReplicateConfig(
            config.replicaNum(),
            config.softPinAction(),
            config.softPinTtlMillis(),
            config.hardPin(),
            config.preferredSegments(),
            config.preferAllocInSameNode(),
            config.dataType(),
            config.hostId(),
            groups));
  }

  /** The outcomes of all rounds; a failure when all of them failed as a whole. */
  private Future<List<Outcome<Void>>> merge(
      List<Future<@Nullable Throwable[]>> rounds, List<MemorySegment> values) {
    List<Outcome<Void>> outcomes = new ArrayList<>(values.size());
    boolean any = false;
    for (Future<@Nullable Throwable[]> round : rounds) {
      any |= round.succeeded();
    }
    if (!any) {
      return Future.failedFuture(rounds.getFirst().cause());
    }
    int from = 0;
    for (Future<@Nullable Throwable[]> round : rounds) {
      int to = roundEnd(values, from);
      for (int i = 0; i < to - from; i++) {
        Throwable failure = round.succeeded() ? round.result()[i] : round.cause();
        outcomes.add(
            failure == null ? Outcome.done() : Outcome.error(StoreException.codeOf(failure)));
      }
      from = to;
    }
    return Future.succeededFuture(outcomes);
  }
}
