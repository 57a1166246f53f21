package io.moonpool.master;

/** The calls that statistics tell apart; their count is fixed, so labels stay bounded. */
public enum MasterCall {
  /** {@link MasterOperations#hello}. */
  HELLO,
  /** {@link MasterOperations#putStart}. */
  PUT_START,
  /** {@link MasterOperations#upsertStart}. */
  UPSERT_START,
  /** {@link MasterOperations#end}. */
  END,
  /** {@link MasterOperations#revoke}. */
  REVOKE,
  /** {@link MasterOperations#locate}. */
  LOCATE,
  /** {@link MasterOperations#exists}. */
  EXISTS,
  /** {@link MasterOperations#describe}. */
  DESCRIBE,
  /** {@link MasterOperations#remove}. */
  REMOVE,
  /** {@link MasterOperations#removeMatching}. */
  REMOVE_MATCHING,
  /** {@link MasterOperations#list}. */
  LIST,
  /** {@link MasterOperations#registerNode}. */
  REGISTER_NODE,
  /** {@link MasterOperations#unregisterNode}. */
  UNREGISTER_NODE,
  /** {@link MasterOperations#mountSegments}. */
  MOUNT_SEGMENTS,
  /** {@link MasterOperations#unmountSegment}. */
  UNMOUNT_SEGMENT,
  /** {@link MasterOperations#describeSegments}. */
  DESCRIBE_SEGMENTS,
  /** {@link MasterOperations#clients}. */
  CLIENTS
}
