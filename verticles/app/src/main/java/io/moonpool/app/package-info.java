/**
 * The application: the main class, which runs a command line and ends the process with its exit
 * code. Runs on the main thread.
 */
@NullMarked
package io.moonpool.app;

import org.jspecify.annotations.NullMarked;
