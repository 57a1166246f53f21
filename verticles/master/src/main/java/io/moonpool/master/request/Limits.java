package io.moonpool.master.request;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;

/**
 * The limits of one request through these interfaces. They keep the time that decoding and encoding
 * take on an event loop short; who needs more per call uses the frames.
 */
public final class Limits {
  /** Most keys in a batch. */
  public static final int MAX_BATCH_KEYS = 1_000;

  /** Most objects in a page of a listing. */
  public static final int MAX_PAGE_OBJECTS = 1_000;

  /** Objects in a page of a listing that names no limit. */
  public static final int DEFAULT_PAGE_OBJECTS = 100;

  /** Longest pattern or prefix, in characters. */
  public static final int MAX_SELECTION_CHARACTERS = 4_096;

  /** Longest grace period of an unmount, one day in milliseconds. */
  public static final long MAX_GRACE_MILLIS = 86_400_000;

  private Limits() {}

  /**
   * Checks the number of keys of a batch.
   *
   * @throws StoreException with {@link ErrorCode#INVALID_PARAMS} for an empty or too large batch
   */
  public static void checkBatch(int keys) {
    if (keys < 1 || keys > MAX_BATCH_KEYS) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          "a batch has 1 to " + MAX_BATCH_KEYS + " keys, this one has " + keys + ": split it");
    }
  }

  /**
   * Checks that a list of a batch has an entry for each key.
   *
   * @throws StoreException with {@link ErrorCode#INVALID_PARAMS} otherwise
   */
  public static void checkPerKey(String what, int entries, int keys) {
    if (entries != keys) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          what + " must have one entry per key: " + keys + ", not " + entries);
    }
  }

  /**
   * Checks the size of a page.
   *
   * @throws StoreException with {@link ErrorCode#INVALID_PARAMS} when it is out of range
   */
  public static int checkPage(int limit) {
    if (limit < 1 || limit > MAX_PAGE_OBJECTS) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          "limit must be from 1 to " + MAX_PAGE_OBJECTS + ", not " + limit);
    }
    return limit;
  }

  /**
   * Checks a grace period.
   *
   * @throws StoreException with {@link ErrorCode#INVALID_PARAMS} when it is out of range
   */
  public static long checkGrace(long graceMillis) {
    if (graceMillis < 0 || graceMillis > MAX_GRACE_MILLIS) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          "the grace period must be from 0 to "
              + MAX_GRACE_MILLIS
              + " milliseconds, not "
              + graceMillis);
    }
    return graceMillis;
  }
}
