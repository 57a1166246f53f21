/**
 * What other Vert.x services use to talk to a master over the event bus: addresses, and nothing
 * else; bodies are JSON objects that {@code docs/event-bus.md} describes. Any thread may use it.
 */
@NullMarked
package io.moonpool.protocol.bus;

import org.jspecify.annotations.NullMarked;
