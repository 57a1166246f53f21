package io.moonpool.core.index;

/** Is shown units of a lane that wait. Must not call the index back. */
@FunctionalInterface
public interface LaneUnitVisitor {
  /**
   * A unit.
   *
   * @param object valid during the call
   * @param replicaId of the replica on the source
   * @param generation of the source's mount
   */
  void unit(ObjectView object, long replicaId, long generation, WaitReason reason);
}
