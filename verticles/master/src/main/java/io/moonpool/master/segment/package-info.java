/**
 * The segments of the pool: mounting, unmounting, and what follows on the metadata loops. Runs on
 * the control loop.
 */
@NullMarked
package io.moonpool.master.segment;

import org.jspecify.annotations.NullMarked;
