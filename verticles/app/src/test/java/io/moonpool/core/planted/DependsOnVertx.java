package io.moonpool.core.planted;

import io.vertx.core.Future;

/** A violation: the core knows no Vert.x. */
public record DependsOnVertx(Future<Void> done) {}
