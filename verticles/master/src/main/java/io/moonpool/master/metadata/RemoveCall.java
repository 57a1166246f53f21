package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectKey;
import io.moonpool.protocol.call.RemoveObjects;

/** Removes objects. */
final class RemoveCall extends KeyedCall<Void> {
  private final boolean force;

  RemoveCall(int tenant, RemoveObjects request) {
    super(tenant, request.keys());
    this.force = request.force();
  }

  @Override
  Dependence dependence() {
    return Dependence.CHANGES;
  }

  @Override
  boolean item(MetadataShards shards, int index, ObjectKey key, long nowMillis) {
    settle(index, Settled.of(shards.index().remove(key, force, nowMillis)));
    return true;
  }
}
