package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectKey;
import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.NamedObjects;

/** Locates and leases. */
final class LocateCall extends KeyedCall<LocatedObject> {
  LocateCall(int tenant, NamedObjects request) {
    super(tenant, request.keys());
  }

  @Override
  Dependence dependence() {
    return Dependence.READS;
  }

  @Override
  boolean item(MetadataShards shards, int index, ObjectKey key, long nowMillis) {
    ErrorCode code = shards.index().locate(key, nowMillis, shards.located());
    if (code == ErrorCode.OK) {
      succeed(index, shards.located().take());
    } else {
      fail(index, code);
    }
    return true;
  }
}
