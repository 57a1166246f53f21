package io.moonpool.master.segment;

import io.moonpool.model.SegmentInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names of the mounted segments, by generation. The control loop publishes, any thread reads.
 */
public final class SegmentNames {
  private volatile Map<Long, String> current = Map.of();

  /** The name, or null when that mount is gone. */
  public @Nullable String of(long generation) {
    return current.get(generation);
  }

  void publish(List<SegmentInfo> segments) {
    Map<Long, String> names = new HashMap<>();
    for (SegmentInfo segment : segments) {
      names.put(segment.generation(), segment.spec().name());
    }
    current = names;
  }
}
