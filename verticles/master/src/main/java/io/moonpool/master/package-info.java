/**
 * What the master's interfaces (frames, gRPC, REST, event bus) call; owners answer on their own
 * loops.
 */
@NullMarked
package io.moonpool.master;

import org.jspecify.annotations.NullMarked;
