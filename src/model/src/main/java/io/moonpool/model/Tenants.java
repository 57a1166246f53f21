package io.moonpool.model;

import java.nio.charset.StandardCharsets;

/** The rules for tenant ids. */
public final class Tenants {
  /** The tenant of every request that names none. */
  public static final String DEFAULT = "default";

  private Tenants() {}

  /** The tenant that a request means: the default one when it names none. */
  public static String orDefault(String tenant) {
    return tenant.isEmpty() ? DEFAULT : tenant;
  }

  /** Valid: not empty, does not start with an underscore, and holds no control character. */
  public static boolean isValid(String tenant) {
    if (tenant.isEmpty() || tenant.charAt(0) == '_') {
      return false;
    }
    for (byte b : tenant.getBytes(StandardCharsets.UTF_8)) {
      int unsigned = b & 0xff;
      if (unsigned < 0x20 || unsigned == 0x7f) {
        return false;
      }
    }
    return true;
  }
}
