package io.moonpool.core.allocation;

/**
 * What a metadata loop knows of the segments that it may place new objects on. Placement asks it
 * before it touches a segment, so that a loop never gets space on a segment that it already knows
 * to be on its way out, or does not know yet.
 *
 * <p>Called on the loop that allocates, once or twice per candidate: it must be quick.
 */
@FunctionalInterface
public interface AllocatableSegments {
  /**
   * True when new objects may go there.
   *
   * @param slot the segment's place in the tables
   * @param generation the mount that is meant
   */
  boolean isAllocatable(int slot, long generation);
}
