package io.moonpool.core.index;

/** Why a unit of a drain is not moved now. */
public enum WaitReason {
  /** Its object is being written, or overwritten. */
  WRITE_IN_PROGRESS,
  /** Another copy or move of its object is under way. */
  COPY_OR_MOVE_IN_PROGRESS,
  /** Its replica is still being written, or those on all targets are. */
  REPLICA_BUSY,
  /** It is on disk, and goes when the replica in its node's memory has gone. */
  MEMORY_FIRST,
  /** It has moved, and is not on the disk of its new home yet. */
  NEW_HOME_DISK,
  /** No segment that may take it has room. */
  NO_SPACE,
  /** Its node is not heard from. */
  CLIENT_SUSPECTED,
  /** The disk that it is on is being scanned. */
  DISK_SCANNED,
  /** Its removal from a disk cannot be made durable. */
  JOURNAL_FAILED,
  /** All attempts have failed. */
  FAILED,
  /** It is on a disk and nowhere else, and the disk's owner cannot move it: it never will be. */
  OWNER_CANNOT_MOVE
}
