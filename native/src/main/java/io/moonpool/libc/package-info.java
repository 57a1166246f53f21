/**
 * Bindings to the C library through the foreign function interface: memory mappings, shared memory,
 * files and scheduling attributes. Linux only. Any thread may call; methods that map, populate or
 * unmap memory and all that touch files may block for as long as the kernel needs and belong on a
 * worker.
 */
@NullMarked
package io.moonpool.libc;

import org.jspecify.annotations.NullMarked;
