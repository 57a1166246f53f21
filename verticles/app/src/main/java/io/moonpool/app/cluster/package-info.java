/**
 * A master and nodes as child processes on this machine. Callers' threads block while a process
 * starts or stops; one daemon thread for each child reads its output.
 */
@NullMarked
package io.moonpool.app.cluster;

import org.jspecify.annotations.NullMarked;
