package io.moonpool.master.loop;

import io.moonpool.protocol.frame.ConnectionLimit;
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
  /**
   * The limit of a port.
   *
   * @param name what the port is for
   */
  public record Port(String name, ConnectionLimit limit) {}

  private final ConcurrentMap<Integer, Port> byPort = new ConcurrentHashMap<>();

  PortLimits() {}

  /**
   * Limits a port from now on.
   *
   * @param name what it is for
   * @param port that is listened on
   * @param most connections at a time, at least 1
   */
  public void limit(String name, int port, int most) {
    byPort.put(port, new Port(name, new ConnectionLimit(most)));
  }

  /** The limit of a port, null when it has none here. */
  @Nullable ConnectionLimit of(int port) {
    Port known = byPort.get(port);
    return known == null ? null : known.limit;
  }

  /** All of them. */
  public Collection<Port> all() {
    return List.copyOf(byPort.values());
  }
}
