package io.moonpool.protocol.call;

/**
 * The first call on a connection.
 *
 * @param protocolVersion the highest version that the caller speaks; see {@link #VERSION}
 * @param clientName for logs and listings, not for authority
 */
public record Hello(int protocolVersion, String clientName) {
  /** The version of this protocol. A master answers with the highest that both speak. */
  public static final int VERSION = 1;
}
