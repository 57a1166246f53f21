/**
 * Measures the data path between two processes of one machine: puts and gets over each transport,
 * against the plainest program that moves the same bytes, in the same run. Runs on the calling
 * thread and on the event loops of a Vert.x instance of its own.
 */
@NullMarked
package io.moonpool.bench.transfer;

import org.jspecify.annotations.NullMarked;
