/**
 * The master's metrics in the Prometheus text format; {@code docs/metrics.md} lists them. Figures
 * are plain counters that their owners keep; they are read when somebody scrapes, on a worker
 * thread of its own.
 */
@NullMarked
package io.moonpool.master.admin.metrics;

import org.jspecify.annotations.NullMarked;
