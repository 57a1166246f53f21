package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectKey;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectInfo;
import io.moonpool.protocol.call.NamedObjects;

/** Describes objects without leasing them. */
final class DescribeCall extends KeyedCall<ObjectInfo> {
  private final String tenantName;

  DescribeCall(int tenant, String tenantName, NamedObjects request) {
    super(tenant, request.keys());
    this.tenantName = tenantName;
  }

  @Override
  Dependence dependence() {
    return Dependence.READS;
  }

  @Override
  boolean item(MetadataShards shards, int index, ObjectKey key, long nowMillis) {
    ErrorCode code =
        shards
            .index()
            .describe(
                key,
                nowMillis,
                object -> {
                  succeed(index, object.info(tenantName));
                  return true;
                });
    if (code != ErrorCode.OK) {
      fail(index, code);
    }
    return true;
  }
}
