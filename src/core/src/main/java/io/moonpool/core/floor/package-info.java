/**
 * Floors: which versions of which keys are dead on disks. Plain collections over primitive arrays
 * that no single change makes slow; used by the index on metadata loops and by the journal on its
 * own thread, each with instances of its own.
 */
@NullMarked
package io.moonpool.core.floor;

import org.jspecify.annotations.NullMarked;
