package io.moonpool.bench.replay;

/**
 * How a trace is replayed.
 *
 * @param clients that take requests of the trace in turn, each one request after the other
 * @param blockBytes size of the object that a block becomes
 * @param poolBytes memory of the pool
 * @param speed how much faster than recorded; 0 as fast as it goes
 * @param leaseMillis how long what was read is kept from eviction
 * @param evictionRatio of the master
 */
public record ReplaySettings(
    int clients,
    long blockBytes,
    long poolBytes,
    double speed,
    long leaseMillis,
    double evictionRatio) {}
