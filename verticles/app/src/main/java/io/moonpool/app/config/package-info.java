/**
 * Settings: what there is, where values come from (flag, environment, file, default), and what is
 * wrong with them. Used once at start, on the main thread.
 */
@NullMarked
package io.moonpool.app.config;

import org.jspecify.annotations.NullMarked;
