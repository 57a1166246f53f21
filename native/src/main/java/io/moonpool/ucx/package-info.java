/**
 * Bindings to UCX (libucp) through the foreign function interface: the calls that one-sided put and
 * get need, and no others. Every handle is an object with one owner and a state; lengths, offsets
 * and states are checked before each call, so that misuse is an exception and never a fault of the
 * virtual machine.
 *
 * <p>A {@link io.moonpool.ucx.UcxWorker}, and all that was made from it, belongs to the thread that
 * created it. {@link io.moonpool.ucx.UcxContext} and {@link io.moonpool.ucx.UcxMemory} may be used
 * by any thread; registering memory blocks and belongs on a worker thread.
 */
@NullMarked
package io.moonpool.ucx;

import org.jspecify.annotations.NullMarked;
