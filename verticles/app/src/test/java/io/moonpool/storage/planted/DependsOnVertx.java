package io.moonpool.storage.planted;

import io.vertx.core.Future;

/** A violation: the store blocks, so it knows no event loop. */
public record DependsOnVertx(Future<Void> done) {}
