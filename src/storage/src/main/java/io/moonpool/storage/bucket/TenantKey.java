package io.moonpool.storage.bucket;

import java.util.Arrays;

/**
 * A tenant and key that can be compared.
 *
 * @param tenant UTF-8
 * @param key any bytes
 */
public record TenantKey(byte[] tenant, byte[] key) {
  @Override
  public boolean equals(Object o) {
    return o instanceof TenantKey that
        && Arrays.equals(tenant, that.tenant)
        && Arrays.equals(key, that.key);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(tenant) + Arrays.hashCode(key);
  }

  @Override
  public String toString() {
    return "key of " + key.length + " bytes";
  }
}
