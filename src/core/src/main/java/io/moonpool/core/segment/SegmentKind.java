package io.moonpool.core.segment;

/** What a segment is made of. */
public enum SegmentKind {
  /** A node's registered memory; the master allocates in it. */
  MEMORY,
  /** A node's SSD directory; the node decides where bytes go in it. */
  LOCAL_DISK
}
