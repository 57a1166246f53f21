/**
 * How long single operations take: one client, one operation at a time, beside Redis in the same
 * run. Runs on the thread that calls it, which may block; the reactive rows run on the client's
 * event loop.
 */
@NullMarked
package io.moonpool.bench.latency;

import org.jspecify.annotations.NullMarked;
