/**
 * The node's disk tier: objects are written from memory to disk, read back into staging memory for
 * those who ask, and reported to the master after a restart. Verticles run on an event loop each;
 * what blocks runs in the worker executor {@code moonpool-disk}.
 */
@NullMarked
package io.moonpool.node.disk;

import org.jspecify.annotations.NullMarked;
