/**
 * Directories that belong to one process at a time and keep their identity over restarts. Blocks:
 * worker threads only.
 */
@NullMarked
package io.moonpool.storage.directory;

import org.jspecify.annotations.NullMarked;
