/**
 * The load test of the master: memory per key, calls per second with one key and with many, what
 * readers see while the index grows and while it evicts, and what unmounts, remounts, ends of nodes
 * and drains cost among many keys. The master is a process of its own; everything but its CPU time,
 * memory, allocation and pauses is measured at its clients.
 *
 * <p>A run blocks the thread that calls it; each client of the load has an event loop.
 */
@NullMarked
package io.moonpool.bench.master;

import org.jspecify.annotations.NullMarked;
