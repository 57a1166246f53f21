package io.moonpool.node.rest;

import io.moonpool.client.parts.LargeObjects;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.http.HttpServerRequest;

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
