package io.moonpool.node.rest;

import io.moonpool.client.parts.LargeObjects;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Set;

/**
 * A request for an object.
 *
 * @param http paused, nothing of its body has been read
 * @param key decoded
 * @param values those of the request's tenant
 */
record RestRequest(HttpServerRequest http, String key, LargeObjects values) {

  /** Lets what is left of the body pass unread. */
  void passBody() {
    if (!http.isEnded()) {
      http.resume();
    }
  }

  /**
   * Refuses parameters of the query other than these: a misspelt one must not mean its default.
   *
   * @throws StoreException names the one that is unknown
   */
  void takesOnly(String... names) {
    List<String> known = List.of(names);
    for (String name : parameters()) {
      if (!known.contains(name)) {
        throw new StoreException(
            ErrorCode.INVALID_PARAMS,
            "unknown query parameter "
                + name
                + ": "
                + http.method()
                + (known.isEmpty() ? " takes none" : " takes " + String.join(", ", known)));
      }
    }
  }

  private Set<String> parameters() {
    try {
      return http.params().names();
    } catch (IllegalArgumentException e) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS, "the query is not percent-encoded: " + e.getMessage());
    }
  }

  /** A truth value in the query; false when it is not there. */
  boolean flag(String name) {
    String text = http.getParam(name, "false");
    return switch (text) {
      case "", "true" -> true;
      case "false" -> false;
      default ->
          throw new StoreException(
              ErrorCode.INVALID_PARAMS, name + " must be true or false, not '" + text + "'");
    };
  }

  /** A whole number of at least 1 in the query. */
  int positive(String name, int absent) {
    String text = http.getParam(name);
    if (text == null) {
      return absent;
    }
    try {
      int number = Integer.parseInt(text);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // answered below
    }
    throw new StoreException(
        ErrorCode.INVALID_PARAMS, name + " must be a number of at least 1, not '" + text + "'");
  }
}
