package io.moonpool.app.config;

/**
 * The configuration is wrong. The message names the setting, where its value came from and what is
 * allowed.
 */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A message for people. */
  public ConfigurationException(String message) {
    super(message, null, false, false);
  }
}
