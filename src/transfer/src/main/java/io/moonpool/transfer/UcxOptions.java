package io.moonpool.transfer;

import java.time.Duration;

/**
 * How the transport {@code ucx} uses UCX.
 *
 * @param tls the library's transports to use, in its own words, such as {@code rc,self} or {@code
 *     tcp,self}; empty for its own choice, which its environment variable UCX_TLS decides
 * @param spin how long a thread looks for work without sleeping after it last had some; each of the
 *     two threads then occupies a core
 */
public record UcxOptions(String tls, Duration spin) {
  private static final Duration MAX_SPIN = Duration.ofSeconds(1);

  /** The library's own choice, and 20 microseconds of spinning. */
  public static final UcxOptions DEFAULT = new UcxOptions("", Duration.ofNanos(20_000));

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException with a sentence that says what to correct
   */
  public UcxOptions {
    if (spin.isNegative() || spin.compareTo(MAX_SPIN) > 0) {
      throw new IllegalArgumentException("ucx may spin for 0 to 1 s at a time, not " + spin);
    }
  }
}
