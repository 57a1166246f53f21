/**
 * The heartbeat port and the observed clock. Everything here runs on the reserved event loop, which
 * runs nothing else. From the arrival of a ping to its answer no lock is taken, nothing is
 * allocated and no other thread is waited for; see {@code docs/heartbeat.md}.
 */
@NullMarked
package io.moonpool.master.heartbeat;

import org.jspecify.annotations.NullMarked;
