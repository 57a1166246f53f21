package io.moonpool.node;

/** How far a node is. */
enum NodeState {
  /** Allocating, or waiting for the master. */
  STARTING,
  /** Registered and mounted. */
  MOUNTED,
  /** The master lost it: registering and mounting again. */
  REMOUNTING,
  /** Unmounting. */
  CLOSING
}
