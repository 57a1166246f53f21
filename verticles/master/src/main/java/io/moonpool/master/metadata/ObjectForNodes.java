package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectView;
import io.moonpool.protocol.call.DiskObject;
import java.util.Arrays;

/** What a node must know of an object to write it anywhere. */
final class ObjectForNodes {
  private ObjectForNodes() {}

  /** Its key, copied from the index. */
  static byte[] key(ObjectView object) {
    return Arrays.copyOf(object.keyBytes(), object.keyLength());
  }

  /** Copies it from the index. */
  static DiskObject of(ObjectView object, TenantTable tenants) {
    return new DiskObject(
        tenants.name(object.tenant()),
        key(object),
        object.version(),
        object.size(),
        object.checksum(),
        object.dataType(),
        object.hardPinned(),
        object.softPinRemainingMillis(),
        object.group());
  }
}
