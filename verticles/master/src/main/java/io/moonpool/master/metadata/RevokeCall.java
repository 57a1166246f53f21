package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectKey;
import io.moonpool.protocol.call.RevokeObjects;

/** Gives up writes. */
final class RevokeCall extends KeyedCall<Void> {
  private final RevokeObjects request;

  RevokeCall(int tenant, RevokeObjects request) {
    super(tenant, request.keys());
    this.request = request;
  }

  @Override
  boolean item(MetadataShards shards, int index, ObjectKey key, long nowMillis) {
    settle(
        index,
        Settled.of(
            shards.index().revoke(key, request.writer(), request.versions()[index], nowMillis)));
    return true;
  }
}
