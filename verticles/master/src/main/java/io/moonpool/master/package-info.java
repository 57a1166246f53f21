/**
 * The master: configuration, starter, and what its interfaces (frames, gRPC, REST, event bus) call.
 * Owners of state are in the subpackages and answer on their own loops; nothing in this package
 * owns state.
 */
@NullMarked
package io.moonpool.master;

import org.jspecify.annotations.NullMarked;
