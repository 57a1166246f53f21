/**
 * The JSON forms of the master's data, the same over REST and the event bus: names in snake case,
 * amounts as numbers, and identifiers of 64 bits (versions, generations, incarnations, replica ids,
 * cursors) as decimal text, since a JSON number is not exact beyond 53 bits. Any thread may use
 * them.
 */
@NullMarked
package io.moonpool.protocol.json;

import org.jspecify.annotations.NullMarked;
