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
   * Mail for a shard that another loop owns: pass it to that loop's {@link ObjectIndex#accept},
   * once and behind all that was sent there before. Happens only while there are grouped objects.
   */
  void send(ShardMail mail);
}
