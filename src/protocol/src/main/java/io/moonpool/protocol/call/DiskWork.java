package io.moonpool.protocol.call;

import java.util.List;

/**
 * Work for a node's disk.
 *
 * @param offloads objects to be written to disk
 * @param promotions objects to be brought back into memory
 * @param dead what the disk may hold of objects that were removed or overwritten: to be tombstoned
 *     and then acknowledged
 * @param waitedMillis how long the call had waited here, at least, when the work was handed out:
 *     what offloads and promotions may take begins then, so not before the call was made plus this.
 *     When the answer is read says nothing, since a process may be stopped in between
 */
public record DiskWork(
    List<OffloadTask> offloads,
    List<PromotionTask> promotions,
    List<DiskRecord> dead,
    long waitedMillis) {
  /** Nothing to do. */
  public static final DiskWork NONE = new DiskWork(List.of(), List.of(), List.of(), 0);

  /** Copies the lists. */
  public DiskWork {
    offloads = List.copyOf(offloads);
    promotions = List.copyOf(promotions);
    dead = List.copyOf(dead);
  }

  /** The same, handed out when the call had waited for so long. */
  public DiskWork after(long millis) {
    return new DiskWork(offloads, promotions, dead, millis);
  }

  /** True when there is nothing to do. */
  public boolean isEmpty() {
    return offloads.isEmpty() && promotions.isEmpty() && dead.isEmpty();
  }
}
