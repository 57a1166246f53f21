/**
 * Drains as this program asks a master for them, over REST: the calls, following a job to its end,
 * and telling people how far it is. Everything here blocks the calling thread: never an event loop.
 */
@NullMarked
package io.moonpool.app.drain;

import org.jspecify.annotations.NullMarked;
