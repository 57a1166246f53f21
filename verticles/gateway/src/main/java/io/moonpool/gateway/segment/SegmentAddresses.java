package io.moonpool.gateway.segment;

import io.moonpool.master.segment.SegmentDirectory;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where Mooncake's clients find the bytes of a mount. What was announced is read once for each
 * mount; any loop may call.
 */
public final class SegmentAddresses {
  /** Mounts that are gone are forgotten when there are so many more than there are segments. */
  private static final int SLACK = 1_024;

  private final SegmentDirectory directory;
  private final Map<Long, MooncakeEndpoint> endpoints = new ConcurrentHashMap<>();

  /** Addresses of the mounts in a directory. */
  public SegmentAddresses(SegmentDirectory directory) {
    this.directory = directory;
  }

  /** How a mount is reached; null when it is gone, or by no client of Mooncake. */
  public @Nullable MooncakeEndpoint find(long generation) {
    MooncakeEndpoint known = endpoints.get(generation);
    if (known != null) {
      return known;
    }
    SegmentInfo segment = directory.find(generation);
    MooncakeEndpoint read = segment == null ? null : read(segment);
    if (read != null) {
      forget();
      endpoints.put(generation, read);
    }
    return read;
  }

  /** How a segment is reached; null when by no client of Mooncake. */
  public static @Nullable MooncakeEndpoint read(SegmentInfo segment) {
    for (SegmentEndpoint endpoint : segment.spec().endpoints()) {
      MooncakeEndpoint read = MooncakeEndpoint.of(endpoint);
      if (read != null) {
        return read;
      }
    }
    return null;
  }

  private void forget() {
    if (endpoints.size() > 2L * directory.size() + SLACK) {
      endpoints.keySet().removeIf(generation -> directory.find(generation) == null);
    }
  }
}
