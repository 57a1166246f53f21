package io.moonpool.master.segment;

import io.moonpool.model.SegmentInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mounted segments, by generation: what locations in answers mean. The control loop publishes
 * before any metadata loop can place something on a new segment; any thread reads.
 */
public final class SegmentDirectory {
  private volatile Map<Long, SegmentInfo> current = Map.of();

  /** The name, or null when that mount is gone. */
  public @Nullable String name(long generation) {
    SegmentInfo segment = current.get(generation);
    return segment == null ? null : segment.spec().name();
  }

  /** The segment as it was at the last change of any, or null when that mount is gone. */
  public @Nullable SegmentInfo find(long generation) {
    return current.get(generation);
  }

  /** How many segments are mounted. */
  public int size() {
    return current.size();
  }

  void publish(List<SegmentInfo> segments) {
    Map<Long, SegmentInfo> directory = HashMap.newHashMap(segments.size());
    for (SegmentInfo segment : segments) {
      directory.put(segment.generation(), segment);
    }
    current = directory;
  }
}
