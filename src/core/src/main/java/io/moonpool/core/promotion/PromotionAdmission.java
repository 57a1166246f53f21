package io.moonpool.core.promotion;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Decides about promotions, and remembers objects for which there was no room at the time.
 *
 * <p>An object is admitted when it was read often enough lately, memory is below the eviction
 * watermark, and not too many promotions are under way. When only room is missing it becomes a
 * <i>candidate</i>: it is tried again after 10 ms, then after twice as long each time, up to a
 * second; eight times and for a minute at most.
 */
public final class PromotionAdmission {
  /** How many candidates are remembered. */
  public static final int MAX_CANDIDATES = 50_000;

  private static final long CANDIDATE_TTL_MILLIS = 60_000;
  private static final int MAX_RETRIES = 8;
  private static final long FIRST_BACKOFF_MILLIS = 10;
  private static final long MAX_BACKOFF_MILLIS = 1_000;

  /** What becomes of an object that was read. */
  public enum Decision {
    /** Promote it; count it with {@link #started}. */
    ADMIT,
    /** It is not read often enough. */
    RARE,
    /** There is no room now: it is a candidate. */
    LATER,
    /** There is no room, nor for another candidate. */
    NO_ROOM
  }

  /**
   * An object that is to be tried again.
   *
   * @param tenant the tenant's small number
   * @param key its bytes
   * @param hash of tenant and key
   */
  public record Candidate(int tenant, byte[] key, long hash) {}

  private static final class Waiting {
    final Candidate candidate;
    final long sinceMillis;
    int retries;
    long dueMillis;

    Waiting(Candidate candidate, long nowMillis) {
      this.candidate = candidate;
      this.sinceMillis = nowMillis;
      this.dueMillis = nowMillis + FIRST_BACKOFF_MILLIS;
    }
  }

  private final FrequencySketch sketch = new FrequencySketch();
  private final int threshold;
  private final int queueLimit;
  private final Map<Long, Waiting> candidates = new HashMap<>();

  /** Candidates in the order in which they came or were tried; due times are looked at in turn. */
  private final ArrayDeque<Waiting> turn = new ArrayDeque<>();

  private int underWay;

  /**
   * An admission without candidates.
   *
   * @param threshold reads that make an object worth it, 1 to 255
   * @param queueLimit promotions that may be under way, at least 1
   */
  public PromotionAdmission(int threshold, int queueLimit) {
    if (threshold < 1 || threshold > 255 || queueLimit < 1) {
      throw new IllegalArgumentException(
          "the threshold is 1 to 255 and the limit at least 1: " + threshold + ", " + queueLimit);
    }
    this.threshold = threshold;
    this.queueLimit = queueLimit;
  }

  /**
   * An object was read that no memory has.
   *
   * @param key the array that holds its key, {@code length} bytes from {@code offset} on; copied
   *     when it is needed
   * @param room memory is below the eviction watermark
   */
  public Decision read(
      int tenant, byte[] key, int offset, int length, long hash, boolean room, long nowMillis) {
    if (sketch.increment(hash) < threshold) {
      return Decision.RARE;
    }
    if (room && underWay < queueLimit) {
      candidates.remove(hash);
      return Decision.ADMIT;
    }
    if (candidates.containsKey(hash)) {
      return Decision.LATER;
    }
    if (candidates.size() >= MAX_CANDIDATES) {
      return Decision.NO_ROOM;
    }
    byte[] copy = Arrays.copyOfRange(key, offset, offset + length);
    Waiting waiting = new Waiting(new Candidate(tenant, copy, hash), nowMillis);
    candidates.put(hash, waiting);
    turn.addLast(waiting);
    return Decision.LATER;
  }

  /** A promotion is under way. */
  public void started() {
    underWay++;
  }

  /** A promotion has ended, however. */
  public void ended() {
    underWay--;
  }

  /** How many promotions are under way. */
  public int underWay() {
    return underWay;
  }

  /** How many candidates there are. */
  public int candidates() {
    return candidates.size();
  }

  /** Takes candidates that are to be tried now. */
  @FunctionalInterface
  public interface Retry {
    /** Tries one; answers whether it is settled: promoted, or gone, or in memory already. */
    boolean settled(Candidate candidate);
  }

  /**
   * Tries candidates again whose time has come.
   *
   * @param atMost looks at so many
   * @param room memory is below the eviction watermark; otherwise nothing is tried
   */
  public void retry(int atMost, boolean room, long nowMillis, Retry retry) {
    for (int looked = Math.min(atMost, turn.size()); looked > 0; looked--) {
      Waiting waiting = turn.removeFirst();
      if (candidates.get(waiting.candidate.hash) != waiting) {
        continue;
      }
      boolean tried = room && underWay < queueLimit && waiting.dueMillis <= nowMillis;
      if (tried) {
        waiting.retries++;
        waiting.dueMillis =
            nowMillis + Math.min(MAX_BACKOFF_MILLIS, FIRST_BACKOFF_MILLIS << waiting.retries);
      }
      if ((tried && retry.settled(waiting.candidate))
          || waiting.retries >= MAX_RETRIES
          || nowMillis - waiting.sinceMillis >= CANDIDATE_TTL_MILLIS) {
        candidates.remove(waiting.candidate.hash);
      } else {
        turn.addLast(waiting);
      }
    }
  }
}
