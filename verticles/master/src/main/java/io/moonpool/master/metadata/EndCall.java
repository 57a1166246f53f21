package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectKey;
import io.moonpool.protocol.call.EndObjects;

/** Makes written objects visible. */
final class EndCall extends KeyedCall<Void> {
  private final EndObjects request;

  EndCall(int tenant, EndObjects request) {
    super(tenant, request.keys());
    this.request = request;
  }

  @Override
  Dependence dependence() {
    return Dependence.CHANGES;
  }

  @Override
  boolean item(MetadataShards shards, int index, ObjectKey key, long nowMillis) {
    settle(
        index,
        Settled.of(
            shards
                .index()
                .end(
                    key,
                    request.writer(),
                    request.versions()[index],
                    request.checksums().get(index),
                    nowMillis)));
    return true;
  }
}
