package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectView;
import io.moonpool.protocol.call.DiskObject;
import java.util.Arrays;

/** What a node must know of an object to write it anywhere. */
final class ObjectForNodes {
  private ObjectForNodes() {}

  /** Copies it from the index. */
  static DiskObject of(ObjectView object, TenantTable tenants) {
    return new DiskObject(
        tenants.name(object.tenant()),
        Arrays.copyOfRange(
            object.keyBytes(), object.keyOffset(), object.keyOffset() + object.keyLength()),
        object.version(),
        object.size(),
        object.checksum(),
        object.dataType(),
        object.hardPinned(),
        object.softPinRemainingMillis(),
        object.group());
  }
}
