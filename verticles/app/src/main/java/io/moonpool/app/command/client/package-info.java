/**
 * {@code moonpool client}: one class for each subcommand. They run on the main thread and block;
 * the client that they use has its own threads.
 */
@NullMarked
package io.moonpool.app.command.client;

import org.jspecify.annotations.NullMarked;
