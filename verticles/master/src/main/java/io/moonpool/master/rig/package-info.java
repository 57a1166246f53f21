/**
 * What the load test of heartbeats changes in the master that it starts: nothing of this is
 * reachable from the configuration of a master. Used by the thread that starts it.
 */
@NullMarked
package io.moonpool.master.rig;

import org.jspecify.annotations.NullMarked;
