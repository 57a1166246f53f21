/**
 * Copies and moves that the master asks this node for: bytes of its own replicas, in memory or on
 * its disk, are written into memory that the master has reserved elsewhere. Runs on the event loop
 * of its verticle; what blocks runs on the workers of the disk and of the transports.
 */
@NullMarked
package io.moonpool.node.task;

import org.jspecify.annotations.NullMarked;
