/**
 * The node: lends memory to the pool, serves it to peers, tells the master that it is alive, and
 * offers REST to people. Each verticle runs on its own event loop; memory is allocated, registered
 * and unmapped on a named worker executor.
 */
@NullMarked
package io.moonpool.node;

import org.jspecify.annotations.NullMarked;
