/**
 * The objects: each metadata loop owns a part of the 1,024 shards, with its own view of the
 * segments, and nobody else touches them. Proxies cut batches by owner, post the parts to the
 * owners' queues and gather the answers in the order of the request; a caller that is on the
 * owner's loop is served inline.
 *
 * <p>Unless it says otherwise, a class here belongs to one metadata loop.
 */
@NullMarked
package io.moonpool.master.metadata;

import org.jspecify.annotations.NullMarked;
