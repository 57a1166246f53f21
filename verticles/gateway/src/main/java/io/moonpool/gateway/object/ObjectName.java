package io.moonpool.gateway.object;

import io.moonpool.model.Tenants;
import io.moonpool.protocol.call.DiskObject;
import java.nio.charset.StandardCharsets;

/**
 * The tenant and key of an object, which can be compared.
 *
 * @param tenant never empty
 * @param key text of single bytes, which is one to one
 */
public record ObjectName(String tenant, String key) {
  /** The name of an object. */
  public static ObjectName of(DiskObject object) {
    return of(object.tenant(), object.key());
  }

  /** The name of an object; an empty tenant is the default one. */
  public static ObjectName of(String tenant, byte[] key) {
    return new ObjectName(Tenants.orDefault(tenant), new String(key, StandardCharsets.ISO_8859_1));
  }
}
