package io.moonpool.bench.heartbeat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The process that is measured.
 *
 * @param host of all its ports
 * @param rpcPort its main port
 * @param heartbeatPort its heartbeat port
 * @param httpPort its REST and metrics
 * @param pid its process id
 * @param gcLog where its collector writes, with lines of pauses and safepoints
 * @param meters its longest handlers
 */
public record MasterUnderTest(
    String host,
    int rpcPort,
    int heartbeatPort,
    int httpPort,
    long pid,
    Path gcLog,
    Meters meters) {
  /**
   * The longest handler of one name on a loop.
   *
   * @param loop the name of its thread
   * @param millis thread CPU time
   * @param handler what it was
   */
  public record Slice(String loop, double millis, String handler) {}

  /** The way to its meters of handlers. */
  public interface Meters {
    /** Forgets what was measured so far, soon. */
    void reset() throws IOException;

    /** The longest handlers of each loop since then, one of each name. Blocks. */
    List<Slice> longest() throws IOException, InterruptedException;
  }
}
