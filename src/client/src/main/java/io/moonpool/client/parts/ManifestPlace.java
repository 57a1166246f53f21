package io.moonpool.client.parts;

import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Where the manifest of a value goes: to the memory of a node that has one of its parts and a disk.
 * There it is copied to the disk as the parts are. In memory of a node without a disk it would be
 * evicted sooner or later while the parts stay on the disks of others, and nobody would know what
 * they are.
 *
 * <p>Knows the segments as they were when the upload began. Belongs to the upload's context.
 */
final class ManifestPlace {
  /** So many names are enough to find room for a few hundred bytes. */
  private static final int MAX_NAMES = 16;

  /** The names of the memory segments of a node with a disk, by each mount of that node. */
  private final Map<Long, List<String>> memoryBeside = new HashMap<>();

  private final Set<String> names = new LinkedHashSet<>();

  ManifestPlace(List<SegmentInfo> segments) {
    Map<UUID, List<String>> memory = new HashMap<>();
    for (SegmentInfo segment : segments) {
      if (segment.spec().kind() == SegmentKind.LOCAL_DISK) {
        memory.put(segment.nodeId(), new ArrayList<>());
      }
    }
    for (SegmentInfo segment : segments) {
      List<String> ofNode = memory.get(segment.nodeId());
      if (ofNode != null) {
        memoryBeside.put(segment.generation(), ofNode);
        if (segment.spec().kind() == SegmentKind.MEMORY && segment.status() == SegmentStatus.OK) {
          ofNode.add(segment.spec().name());
        }
      }
    }
  }

  /** Whether any node has a disk. */
  boolean anyDisk() {
    return !memoryBeside.isEmpty();
  }

  /** A part is there. */
  void part(ObjectInfo part) {
    for (ReplicaDescriptor replica : part.replicas()) {
      for (String name : memoryBeside.getOrDefault(replica.generation(), List.of())) {
        if (names.size() < MAX_NAMES) {
          names.add(name);
        }
      }
    }
  }

  /**
   * The segments for the manifest, best first.
   *
   * @param wished by the writer for the value, after those that keep the manifest with its parts
   */
  List<String> preferred(List<String> wished) {
    Set<String> all = new LinkedHashSet<>(names);
    all.addAll(wished);
    return List.copyOf(all);
  }
}
