package io.moonpool.gateway.handler;

import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** Between batches of the master and the calls of Mooncake. Any thread. */
final class Outcomes {
  private Outcomes() {}

  /** A batch of one key. */
  static KeyBatch batch(byte[] key) {
    KeyBatch keys = new KeyBatch(1, key.length);
    keys.add(key, 0, key.length);
    return keys;
  }

  /** The result of a batch of one, if it has any. */
  static <T> Future<T> only(Future<List<Outcome<T>>> batch) {
    return batch.compose(outcomes -> future(outcomes.getFirst()));
  }

  /** The result of a batch of one, put into other words. */
  static <T, R> Future<R> only(Future<List<Outcome<T>>> batch, Function<T, Outcome<R>> translate) {
    return batch.compose(outcomes -> future(translated(outcomes.getFirst(), translate)));
  }

  /** The result of one item, as that of a call. */
  static <T> Future<T> future(Outcome<T> outcome) {
    return outcome.ok()
        ? Future.succeededFuture(outcome.value())
        : Future.failedFuture(new StoreException(outcome.code()));
  }

  /**
   * The results of a batch. Its answer cannot tell that all of it failed: then each item did.
   *
   * @param items how many there are
   */
  static <T> Future<List<Outcome<T>>> each(int items, Future<List<Outcome<T>>> batch) {
    return batch.recover(
        failure ->
            failure instanceof StoreException known
                ? Future.succeededFuture(Collections.nCopies(items, Outcome.error(known.code())))
                : Future.failedFuture(failure));
  }

  /** As {@link #each(int, Future)}, put into other words. */
  static <T, R> Future<List<Outcome<R>>> each(
      int items, Future<List<Outcome<T>>> batch, Function<T, Outcome<R>> translate) {
    return each(
        items,
        batch.map(
            outcomes -> {
              List<Outcome<R>> translated = new ArrayList<>(outcomes.size());
              for (Outcome<T> outcome : outcomes) {
                translated.add(translated(outcome, translate));
              }
              return translated;
            }));
  }

  private static <T, R> Outcome<R> translated(
      Outcome<T> outcome, Function<T, Outcome<R>> translate) {
    return outcome.ok() ? translate.apply(outcome.get()) : Outcome.error(outcome.code());
  }
}
