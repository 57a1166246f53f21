/**
 * Registered memory, and one-sided put and get over interchangeable transports: {@link
 * io.moonpool.transfer.Transports} is the way in.
 *
 * <p>Futures complete on the context that called. Bytes of {@code tcp} move on the event loops of
 * the given Vert.x instance, in pieces of well below a millisecond; copies of {@code shm} on the
 * calling thread, or on named workers when they are large and the caller is an event loop. Nothing
 * here starts a thread of its own.
 */
@NullMarked
package io.moonpool.transfer;

import org.jspecify.annotations.NullMarked;
