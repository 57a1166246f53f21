package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.MasterUnderTest;

/**
 * A master that runs.
 *
 * @param target where it is
 * @param grpcPort 0 when it has none
 * @param stop ends it, and waits for that
 */
public record StartedMaster(MasterUnderTest target, int grpcPort, Runnable stop)
    implements AutoCloseable {
  @Override
  public void close() {
    stop.run();
  }
}
