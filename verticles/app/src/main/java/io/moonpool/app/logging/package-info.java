/**
 * Log output that never blocks the thread that logs. Any thread appends; one daemon thread writes.
 */
@NullMarked
package io.moonpool.app.logging;

import org.jspecify.annotations.NullMarked;
