/**
 * The seam to the file system: everything that the store does to a disk goes through {@link
 * io.moonpool.storage.file.FileLayer}. The real one calls the C library; tests put one in its place
 * that forgets what was not synced, or that fails. All of it blocks: worker threads only.
 */
@NullMarked
package io.moonpool.storage.file;

import org.jspecify.annotations.NullMarked;
