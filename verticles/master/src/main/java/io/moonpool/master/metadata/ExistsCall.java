package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectKey;
import io.moonpool.model.Outcome;
import io.moonpool.protocol.call.NamedObjects;

/** Tells which objects can be read, and leases those. */
final class ExistsCall extends KeyedCall<Boolean> {
  private static final Outcome<Boolean> YES = Outcome.of(true);
  private static final Outcome<Boolean> NO = Outcome.of(false);

  ExistsCall(int tenant, NamedObjects request) {
    super(tenant, request.keys());
  }

  @Override
  Dependence dependence() {
    return Dependence.READS;
  }

  @Override
  boolean item(MetadataShards shards, int index, ObjectKey key, long nowMillis) {
    settle(index, shards.index().exists(key, nowMillis) ? YES : NO);
    return true;
  }

  /** The answer for a tenant that has nothing. */
  void noneExist() {
    for (int i = 0; i < keys().size(); i++) {
      settle(i, NO);
    }
  }
}
