package io.moonpool.master.metadata;

import io.moonpool.master.loop.MasterLoop;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/**
 * Owns the shards of one metadata loop. Speaks batches of keys, through {@link MetadataProxy}, and
 * changes of segments, through {@link SegmentSubscriber}.
 */
public final class MetadataVerticle extends VerticleBase {
  private final MetadataShards shards;

  MetadataVerticle(MetadataShards shards) {
    this.shards = shards;
  }

  @Override
  public Future<?> start() {
    if (!shards.loop().isCurrent()) {
      return Future.failedFuture(
          new IllegalStateException("must be deployed on loop " + shards.loop().name()));
    }
    shards.start();
    return Future.succeededFuture();
  }

  /** The loop that it must be deployed on. */
  public MasterLoop loop() {
    return shards.loop();
  }

  MetadataShards shards() {
    return shards;
  }
}
