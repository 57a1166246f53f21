package io.moonpool.core.index;

/**
 * What the index does to the world outside it. Called in the middle of the call that causes it, on
 * the thread of that call: take the values, do not call the index back.
 */
public interface IndexEffects {
  /**
   * An extent is nobody's any more: its space may be handed out again at once. The index has waited
   * until no reader and no writer can touch it. Extents of a mount that is gone are not reported.
   *
   * @param slot the segment's slot
   * @param generation the mount that the extent belongs to
   * @param offsetUnits where it starts, in units of {@link io.moonpool.core.allocation.Extent#UNIT}
   *     bytes
   * @param length the object's size in bytes, as it was when the extent was handed in
   * @param node the allocator's name for the extent
   */
  void free(int slot, long generation, long offsetUnits, long length, int node);

  /**
   * A floor that must be durable before the caller of the index gets its answer: all records of a
   * key with a lower version are dead. Called before the index changes anything.
   *
   * @param disk the journal's number of the disk that it is needed for; 0 for all disks that are
   *     absent or not scanned to the end
   * @param keyHash {@link KeyHash} of tenant and key
   * @param version of a write, or one more than that
   */
  void floor(int disk, long keyHash, long version);

  /**
   * There is something for the node of a disk to take, after there was nothing: an offload ({@link
   * ObjectIndex#takeOffloads}), a promotion ({@link Promotions#next}) or a record that is dead
   * ({@link ObjectIndex#takeDropped}).
   *
   * @param slot the disk's
   * @param generation the disk's mount
   */
  void offload(int slot, long generation);

  /**
   * Mail for a shard that another loop owns: pass it to that loop's {@link ObjectIndex#accept},
   * once and behind all that was sent there before. Happens only while there are grouped objects.
   */
  void send(ShardMail mail);
}
