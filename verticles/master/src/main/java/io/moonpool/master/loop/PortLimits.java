package io.moonpool.master.loop;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The limits of the ports that Vert.x serves. They hold where connections are accepted: before TLS,
 * and for strangers that never say a word. Any thread.
 */
public final class PortLimits {
  private final ConcurrentMap<Integer, PortLimit> byPort = new ConcurrentHashMap<>();

  PortLimits() {}

  /**
   * Limits a port from now on.
   *
   * @param name what it is for
   * @param port that is listened on
   * @param most connections at a time, at least 1
   */
  public void limit(String name, int port, int most) {
    byPort.put(port, new PortLimit(name, most));
  }

  /** The limit of a port, null when it has none here. */
  @Nullable PortLimit of(int port) {
    return byPort.get(port);
  }

  /** All of them. */
  public Collection<PortLimit> all() {
    return List.copyOf(byPort.values());
  }
}
