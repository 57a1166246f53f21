/**
 * Waiting for futures on threads that may block: the main thread and the demo's lanes. Never an
 * event loop.
 */
@NullMarked
package io.moonpool.app.blocking;

import org.jspecify.annotations.NullMarked;
