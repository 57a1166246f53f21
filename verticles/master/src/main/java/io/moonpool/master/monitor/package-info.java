/**
 * The client monitor: which nodes are registered, which of them are alive, and what follows when
 * that changes. Runs on the control loop; its decisions wait for nothing, see {@code
 * docs/heartbeat.md}.
 */
@NullMarked
package io.moonpool.master.monitor;

import org.jspecify.annotations.NullMarked;
