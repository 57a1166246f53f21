package io.moonpool.master.request;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.StoreException;

/** The key of a request about one object. */
public final class SingleKey {
  private SingleKey() {}

  /**
   * A batch of that key alone.
   *
   * @throws StoreException with {@link ErrorCode#INVALID_KEY} when no object can have that key; a
   *     master would only say that it has none
   */
  public static KeyBatch of(String key) {
    KeyBatch batch = KeyBatch.of(key);
    requireLength(batch.length(0));
    return batch;
  }

  /**
   * Checks how long a key is.
   *
   * @throws StoreException with {@link ErrorCode#INVALID_KEY} when no object can have such a key
   */
  public static void requireLength(int bytes) {
    if (bytes < 1 || bytes > KeyBatch.MAX_KEY_BYTES) {
      throw new StoreException(ErrorCode.INVALID_KEY);
    }
  }
}
