package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectKey;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import java.util.Arrays;
import java.util.List;

/**
 * A batch of keys, of one tenant unless {@link #tenant} says otherwise, and what is done with each.
 * Made on the caller's loop; each item runs on the loop that owns its key and writes its own place
 * in the results, so loops share nothing. The caller reads the results after the last part has
 * completed.
 *
 * @param <T> the result of an item
 */
abstract class KeyedCall<T> {
  private final int tenant;
  private final KeyBatch keys;
  private final Outcome<T>[] results;

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
  KeyedCall(int tenant, KeyBatch keys) {
    this.tenant = tenant;
    this.keys = keys;
    this.results = new Outcome[keys.size()];
  }

  /** The tenant of an item. */
  int tenant(int index) {
    return tenant;
  }

  final KeyBatch keys() {
    return keys;
  }

  /**
   * Does one item.
   *
   * @param key points at the item's key
   * @return false when there is no space now: the item is tried again when there may be
   */
  abstract boolean item(MetadataShards shards, int index, ObjectKey key, long nowMillis);

  /**
   * How much work an item is just now, as a multiple of a look-up in the index: parts are cut into
   * steps by it. At least 1.
   */
  int weight(MetadataShards shards) {
    return 1;
  }

  /**
   * What an item does with floors, which are made durable before an answer that depends on them.
   */
  enum Dependence {
    /** Nothing. */
    NONE,
    /** It shows what they have done. */
    READS,
    /** It needs some, and must not be answered with success without them. */
    CHANGES
  }

  /** Whether the answers wait until floors are durable. */
  Dependence dependence() {
    return Dependence.NONE;
  }

  /** Floors of an item could not be made durable: what went well did not go well enough. */
  final void notDurable(int index) {
    Outcome<T> outcome = results[index];
    if (outcome != null
        && (outcome.code() == ErrorCode.OK || outcome.code() == ErrorCode.OBJECT_NOT_FOUND)) {
      fail(index, ErrorCode.PERSISTENT_FAIL);
    }
  }

  /** Gives up an item that found no space in time. Only for calls whose items may answer false. */
  void outOfSpace(int index) {
    fail(index, ErrorCode.NO_AVAILABLE_HANDLE);
  }

  final void succeed(int index, T value) {
    results[index] = Outcome.of(value);
  }

  final void fail(int index, ErrorCode code) {
    results[index] = Outcome.error(code);
  }

  final void settle(int index, Outcome<T> outcome) {
    results[index] = outcome;
  }

  final boolean isSettled(int index) {
    return results[index] != null;
  }

  /** Fails what has no result yet. */
  final void failRest(ErrorCode code) {
    for (int i = 0; i < results.length; i++) {
      if (!isSettled(i)) {
        fail(i, code);
      }
    }
  }

  final List<Outcome<T>> results() {
    return Arrays.asList(results);
  }
}
