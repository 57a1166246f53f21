package io.moonpool.node.rest;

import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.http.PercentEncoding;

/**
 * The key in a path: everything behind the prefix, slashes included, with bytes written {@code %XX}
 * and the whole UTF-8. Dots and doubled slashes are part of the key.
 */
final class ObjectPath {
  /** What paths of objects start with. */
  static final String PREFIX = "/v1/objects/";

  private ObjectPath() {}

  /**
   * The key.
   *
   * @param path as it was sent, starting with {@link #PREFIX}
   * @throws io.moonpool.model.StoreException when it cannot be decoded
   */
  static String key(String path) {
    return PercentEncoding.decode(path.substring(PREFIX.length()), ErrorCode.INVALID_KEY);
  }
}
