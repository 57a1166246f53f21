package io.moonpool.bench.heartbeat;

import java.nio.file.Path;

/**
 * The process that is measured.
 *
 * @param host of all its ports
 * @param rpcPort its main port
 * @param heartbeatPort its heartbeat port
 * @param httpPort its REST and metrics
 * @param pid its process id
 * @param gcLog where its collector writes, with lines of pauses and safepoints
 */
public record MasterUnderTest(
    String host, int rpcPort, int heartbeatPort, int httpPort, long pid, Path gcLog) {}
