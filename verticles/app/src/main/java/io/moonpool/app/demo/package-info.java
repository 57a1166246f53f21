/**
 * The demo: starts a cluster on this machine, stores objects, reads them back in two other ways and
 * compares every byte. Lanes, plain threads that may block, move one object at a time; bytes stay
 * outside the heap.
 */
@NullMarked
package io.moonpool.app.demo;

import org.jspecify.annotations.NullMarked;
