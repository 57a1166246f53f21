/**
 * The command line: one class for each command. Commands run on the main thread and may block; what
 * they start runs on its own threads.
 */
@NullMarked
package io.moonpool.app.command;

import org.jspecify.annotations.NullMarked;
