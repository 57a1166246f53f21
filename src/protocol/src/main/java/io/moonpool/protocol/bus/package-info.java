/**
 * The addresses of the event bus. Other Vert.x services see the public ones; bodies are JSON. Any
 * thread.
 */
@NullMarked
package io.moonpool.protocol.bus;

import org.jspecify.annotations.NullMarked;
