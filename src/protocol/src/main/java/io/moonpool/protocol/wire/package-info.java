/**
 * The serialisation of calls: a type is described once, as a {@link Codec} put together from those
 * of {@link Scalars}, {@link Containers}, {@link Choices} and {@link Structs}, and a {@link
 * Message} makes of the description the type literal, the head code, the encoder and the decoder.
 *
 * <p>Decoding is defensive: bytes from a peer lead to a value or to {@link MalformedMessage}, never
 * to another exception, and never to an allocation that the bytes themselves do not pay for.
 *
 * <p>Descriptions are immutable and shared by all threads; one encoding or decoding is one
 * thread's.
 */
@NullMarked
package io.moonpool.protocol.wire;

import org.jspecify.annotations.NullMarked;
