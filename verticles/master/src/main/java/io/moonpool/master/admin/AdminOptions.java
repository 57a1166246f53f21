package io.moonpool.master.admin;

import io.moonpool.protocol.access.AdminAddress;

/**
 * Configuration of the HTTP interface.
 *
 * @param address where it listens and who may use it
 * @param openMetrics whether {@code /metrics} is open to callers without the token
 * @param maxBodyBytes larger request bodies are refused
 */
public record AdminOptions(AdminAddress address, boolean openMetrics, int maxBodyBytes) {
  /** Bodies name keys and patterns, never values: 1 MiB is far more than any needs. */
  public static final int DEFAULT_MAX_BODY_BYTES = 1 << 20;

  /** Metrics closed like everything else, and the default limit. */
  public static AdminOptions of(AdminAddress address) {
    return new AdminOptions(address, false, DEFAULT_MAX_BODY_BYTES);
  }
}
