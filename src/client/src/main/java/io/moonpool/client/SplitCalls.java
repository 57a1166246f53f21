package io.moonpool.client;

import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A question about many keys, as several calls one after the other, each well below what a master
 * takes at once. Runs on the client's loop.
 *
 * @param <T> what is answered for a key
 */
final class SplitCalls<T> {
  /** Keys of one call. */
  static final int MAX_KEYS = 4_096;

  /** Characters of the keys of one call, unless it has one key only. */
  private static final int MAX_CHARACTERS = 1 << 20;

  private final List<String> keys;
  private final Function<List<String>, Future<List<Outcome<T>>>> call;
  private final List<Outcome<T>> outcomes;
  private final Promise<List<Outcome<T>>> done;
  private @Nullable Throwable failure;
  private boolean anyAnswer;

  private SplitCalls(
      ClientLoop loop, List<String> keys, Function<List<String>, Future<List<Outcome<T>>>> call) {
    this.keys = keys;
    this.call = call;
    this.outcomes = new ArrayList<>(keys.size());
    this.done = loop.promise();
  }

  /**
   * Makes the calls.
   *
   * @param call one of them, for some of the keys in order
   * @return the outcomes in the order of the keys; those of a call that failed have its code. Fails
   *     when every call did
   */
  static <T> Future<List<Outcome<T>>> make(
      ClientLoop loop, List<String> keys, Function<List<String>, Future<List<Outcome<T>>>> call) {
    if (end(keys, 0) == keys.size()) {
      return call.apply(keys);
    }
    SplitCalls<T> calls = new SplitCalls<>(loop, keys, call);
    calls.from(0);
    return calls.done.future();
  }

  private static int end(List<String> keys, int first) {
    int characters = 0;
    int end = first;
    while (end < keys.size() && end - first < MAX_KEYS && characters < MAX_CHARACTERS) {
      characters += keys.get(end++).length();
    }
    return end;
  }

  private void from(int first) {
    if (first == keys.size()) {
      finish();
      return;
    }
    int end = end(keys, first);
    call.apply(keys.subList(first, end))
        .onComplete(
            answer -> {
              if (answer.succeeded()) {
                anyAnswer = true;
                outcomes.addAll(answer.result());
              } else {
                failure = answer.cause();
                Outcome<T> failed = Outcome.error(StoreException.codeOf(answer.cause()));
                outcomes.addAll(Collections.nCopies(end - first, failed));
              }
              from(end);
            });
  }

  private void finish() {
    Throwable cause = failure;
    if (!anyAnswer && cause != null) {
      done.fail(cause);
    } else {
      done.complete(outcomes);
    }
  }
}
