package io.moonpool.bench.heartbeat;

import java.io.IOException;
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
 * @param meters has it forget the longest handlers so far
 */
public record MasterUnderTest(
    String host,
    int rpcPort,
    int heartbeatPort,
    int httpPort,
    long pid,
    Path gcLog,
    Meters meters) {
  /** The way to its meters of handlers. */
  public interface Meters {
    /** Forgets what was measured so far, soon. */
    void reset() throws IOException;
  }
}
