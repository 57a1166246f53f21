/**
 * The library that applications embed: put, get, upsert, remove, batches, listings. Any thread may
 * call it; the work of one client runs on one event loop, and sums over large values on a named
 * worker executor.
 */
@NullMarked
package io.moonpool.client;

import org.jspecify.annotations.NullMarked;
