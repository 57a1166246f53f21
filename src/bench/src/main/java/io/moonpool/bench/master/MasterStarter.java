package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.HeartbeatPool;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Starts the masters that are measured. */
public interface MasterStarter {
  /**
   * Starts a master in a process of its own and waits until it serves.
   *
   * @param settings of the master
   * @param keys how many its heap must have room for
   * @param restored what is in its index from the start; null for nothing
   * @throws IOException when it does not start
   */
  StartedMaster start(Map<String, String> settings, long keys, @Nullable HeartbeatPool restored)
      throws IOException, InterruptedException;
}
