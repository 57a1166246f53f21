/**
 * The load tests of the command line. Each starts a cluster of processes of its own on this machine
 * and ends it again. Commands run on the main thread and may block it.
 */
@NullMarked
package io.moonpool.app.command.bench;

import org.jspecify.annotations.NullMarked;
