package io.moonpool.app.demo;

import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the objects of a demo are at a moment. Reads prefer memory, so what is in memory and on
 * disk counts as in memory.
 *
 * @param inMemory objects that are in memory completely
 * @param onDisk objects that are on disk only
 * @param onBoth objects some parts of which are in memory and others on disk only
 * @param bytesInMemory bytes of values in memory
 * @param bytesOnDisk bytes of values that are on disk only
 * @param withoutCopyOnDisk objects that have no complete copy on disk
 */
record Placement(
    long inMemory,
    long onDisk,
    long onBoth,
    long bytesInMemory,
    long bytesOnDisk,
    long withoutCopyOnDisk) {
  private static final String PART = ".part-";

  /**
   * Tells where the objects are.
   *
   * @param listed all objects of the pool, parts of large ones included
   */
  static Placement of(List<DemoObject> objects, List<ObjectInfo> listed) {
    Map<String, Tally> tallies = new HashMap<>();
    objects.forEach(object -> tallies.put(object.key(), new Tally()));
    for (ObjectInfo info : listed) {
      if (info.checksum().kind() == ChecksumKind.MANIFEST) {
        continue; // a list of parts, which are listed themselves
      }
      Tally tally = tallies.get(info.key());
      int part = info.key().lastIndexOf(PART);
      if (tally == null && part > 0) {
        tally = tallies.get(info.key().substring(0, part));
      }
      if (tally != null) {
        tally.add(info);
      }
    }
    long[] count = new long[3];
    long memoryBytes = 0;
    long diskBytes = 0;
    long without = 0;
    for (Tally tally : tallies.values()) {
      count[tally.memoryBytes == 0 ? 1 : tally.diskBytes == 0 ? 0 : 2]++;
      memoryBytes += tally.memoryBytes;
      diskBytes += tally.diskBytes;
      without += tally.copied ? 0 : 1;
    }
    return new Placement(count[0], count[1], count[2], memoryBytes, diskBytes, without);
  }

  /** One object, all parts together. */
  private static final class Tally {
    private long memoryBytes;
    private long diskBytes;
    private boolean copied = true;

    private void add(ObjectInfo info) {
      if (has(info, ReplicaType.MEMORY)) {
        memoryBytes += info.size();
      } else {
        diskBytes += info.size();
      }
      copied &= has(info, ReplicaType.LOCAL_DISK);
    }

    private static boolean has(ObjectInfo info, ReplicaType type) {
      for (ReplicaDescriptor replica : info.replicas()) {
        if (replica.type() == type && replica.status() == ReplicaStatus.COMPLETE) {
          return true;
        }
      }
      return false;
    }
  }
}
