package io.moonpool.bench.master;

/** What can be measured, in the order in which it is. */
public enum RowGroup {
  /** Memory per key, and what a reader sees, while all keys are put. */
  LOAD,
  /** Many keys a call. */
  BATCH,
  /** One key a call. */
  SINGLE,
  /** The same calls through gRPC. */
  GRPC,
  /** A reader while more is put than memory holds. */
  OVERFILL,
  /** Eviction of half of all objects. */
  EVICT,
  /** Remount, unmount, drain and end of a node, with few of many keys. */
  TOUCH
}
