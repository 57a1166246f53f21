/**
 * Which nodes are alive.
 *
 * <p>Three threads meet here, and none waits for another. The heartbeat loop advances the {@link
 * io.moonpool.core.liveness.ObservedClock} and records pings through the {@link
 * io.moonpool.core.liveness.ClientView}: one volatile read and one timestamp written. Loops that
 * serve other ports may do the same. The monitor's loop owns the {@link
 * io.moonpool.core.liveness.ClientRegistry} and the {@link
 * io.moonpool.core.liveness.LivenessMonitor}: it registers, judges the timestamps, and publishes
 * the next view.
 *
 * <p>All time here is observed time: it counts only while the heartbeat loop could have heard.
 */
@NullMarked
package io.moonpool.core.liveness;

import org.jspecify.annotations.NullMarked;
