/**
 * Moving objects away: drain jobs, and the tasks that copy and move single objects. {@link
 * io.moonpool.master.drain.DrainOperations} is the way in for people and programs, {@link
 * io.moonpool.master.drain.TaskOperations} the one for nodes. {@link
 * io.moonpool.master.drain.DrainSchedulerVerticle} owns all state and runs on the control loop; it
 * never sees the index, but asks the metadata loops, each for the part of a job that is there.
 *
 * <p>Nothing here polls: a job goes on when a unit ended, when a metadata loop says that something
 * changed, or when a deadline passes. There is one timer a deadline.
 */
@NullMarked
package io.moonpool.master.drain;

import org.jspecify.annotations.NullMarked;
