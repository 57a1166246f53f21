/**
 * What the interfaces for people and for other languages (REST, gRPC, event bus) have in common on
 * top of {@link io.moonpool.master.MasterOperations}: their limits, selections of keys, unmounting
 * by segment id, the summary of the pool. Runs on the event loop of the interface that asks.
 */
@NullMarked
package io.moonpool.master.request;

import org.jspecify.annotations.NullMarked;
