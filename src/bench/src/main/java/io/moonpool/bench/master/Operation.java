package io.moonpool.bench.master;

import io.moonpool.model.KeyBatch;
import io.vertx.core.Future;

/** Something that a client of the load does again and again. Runs on the client's event loop. */
interface Operation {
  /**
   * Does it with some keys.
   *
   * @return of how many of them it failed
   */
  Future<Integer> run(KeyBatch keys);

  /** The operations that are measured, over some protocol. */
  interface Calls {
    /** Starts and ends the put of objects. */
    Future<Integer> put(KeyBatch keys);

    /** Finds the replicas of objects, under a lease. */
    Future<Integer> locate(KeyBatch keys);

    /** Tells which objects there are. */
    Future<Integer> exists(KeyBatch keys);
  }

  /** One of the operations, by its name. */
  enum Kind {
    /** {@link Calls#put}. */
    PUT,
    /** {@link Calls#locate}. */
    LOCATE,
    /** {@link Calls#exists}. */
    EXISTS;

    Operation over(Calls calls) {
      return switch (this) {
        case PUT -> calls::put;
        case LOCATE -> calls::locate;
        case EXISTS -> calls::exists;
      };
    }
  }
}
