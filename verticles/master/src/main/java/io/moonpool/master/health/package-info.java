/**
 * Whether this master works: what {@code /health} and the gRPC health service answer. Runs on the
 * event loop of the interface that asks.
 */
@NullMarked
package io.moonpool.master.health;

import org.jspecify.annotations.NullMarked;
