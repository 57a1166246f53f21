package io.moonpool.client;

import io.moonpool.protocol.call.LocatedObject;

/**
 * Where an object is, and until when that holds.
 *
 * @param deadlineNanos {@link System#nanoTime()} at which the lease ends, counted from before it
 *     was asked for
 */
record Location(LocatedObject object, long deadlineNanos) {}
