/**
 * How configuration records describe themselves and are read from a file's map. Used once at start,
 * by the thread that starts a process.
 */
@NullMarked
package io.moonpool.model.config;

import org.jspecify.annotations.NullMarked;
