package io.moonpool.protocol.call;

import java.util.List;

/**
 * Work for a node's disk.
 *
 * @param offloads objects to be written to disk
 * @param dead what the disk may hold of objects that were removed or overwritten: to be tombstoned
 *     and then acknowledged
 */
public record DiskWork(List<OffloadTask> offloads, List<DiskRecord> dead) {
  /** Copies the lists. */
  public DiskWork {
    offloads = List.copyOf(offloads);
    dead = List.copyOf(dead);
  }

  /** True when there is nothing to do. */
  public boolean isEmpty() {
    return offloads.isEmpty() && dead.isEmpty();
  }
}
