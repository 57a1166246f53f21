/**
 * The master's side of the nodes' disks: what nodes report, the work that they wait for, and how it
 * ended. Runs on the control loop; what is done with objects runs on the metadata loops.
 */
@NullMarked
package io.moonpool.master.disk;

import org.jspecify.annotations.NullMarked;
