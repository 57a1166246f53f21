/**
 * The load test of heartbeats: a master of its own process with many keys, clients that ping it
 * once a second on threads and blocking sockets of their own, and storms. Everything is measured at
 * the clients. Runs on its own threads; only the load uses an event loop.
 *
 * <p>The load test of the master uses its clients, its pool of fake segments, its meters and its
 * page.
 */
@NullMarked
package io.moonpool.bench.heartbeat;

import org.jspecify.annotations.NullMarked;
