/**
 * {@code moonpool bench heartbeat}, and the masters that load tests start: as they are, or with
 * many keys from the start, and on demand without a protection. Runs on the main thread of its
 * process.
 */
@NullMarked
package io.moonpool.app.command.bench.heartbeat;

import org.jspecify.annotations.NullMarked;
