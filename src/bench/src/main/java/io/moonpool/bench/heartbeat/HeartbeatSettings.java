package io.moonpool.bench.heartbeat;

/**
 * What to run.
 *
 * @param keys in the index at the start
 * @param originals clients that ping from start to end
 * @param loadThreads threads that ask for existence, in batches
 * @param pipeline batches that each of them has under way
 * @param pings what the clients are and where they ping; the load goes to the main port, in the
 *     calls of the same protocol
 * @param seconds how long is measured
 * @param activeTtlMillis of the master
 * @param suspicionTtlMillis of the master
 * @param ablation which protection the master lacks, for the report; empty for none
 */
public record HeartbeatSettings(
    Scenario scenario,
    long keys,
    int originals,
    int loadThreads,
    int pipeline,
    PingWay pings,
    int seconds,
    long activeTtlMillis,
    long suspicionTtlMillis,
    String ablation) {
  /** How many segments each client lends. */
  public static final int SEGMENTS_PER_CLIENT = 4;

  /** With full segments eviction begins at the first puts. */
  private static final double FULL = 0.89;

  private static final double ROOMY = 0.5;

  /** Clients that come or go. */
  public int others() {
    return scenario == Scenario.S3 ? 0 : originals;
  }

  /** Which client has what. */
  public HeartbeatPool pool() {
    return new HeartbeatPool(
        keys, originals + others(), SEGMENTS_PER_CLIENT, scenario == Scenario.S4 ? FULL : ROOMY);
  }

  /** How long everything runs before it is measured. */
  long warmUpMillis() {
    return Math.min(5_000, Math.min(ttlMillis() / 5, seconds * 500L));
  }

  /** When the storm comes, from the start of the measurement. */
  long stormMillis() {
    return Math.min(seconds * 1_000L / 3, ttlMillis() * 2 / 5);
  }

  private long ttlMillis() {
    return activeTtlMillis + suspicionTtlMillis;
  }
}
