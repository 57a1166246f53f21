package io.moonpool.protocol.call;

import java.util.List;

/**
 * Work for a node's disk.
 *
 * @param offloads objects to be written to disk
 * @param promotions objects to be brought back into memory
 * @param dead what the disk may hold of objects that were removed or overwritten: to be tombstoned
 *     and then acknowledged
 */
public record DiskWork(
    List<OffloadTask> offloads, List<PromotionTask> promotions, List<DiskRecord> dead) {
  /** Nothing to do. */
  public static final DiskWork NONE = new DiskWork(List.of(), List.of(), List.of());

  /** Copies the lists. */
  public DiskWork {
    offloads = List.copyOf(offloads);
    promotions = List.copyOf(promotions);
    dead = List.copyOf(dead);
  }

  /** True when there is nothing to do. */
  public boolean isEmpty() {
    return offloads.isEmpty() && promotions.isEmpty() && dead.isEmpty();
  }
}
