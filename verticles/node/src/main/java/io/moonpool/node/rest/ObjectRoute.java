package io.moonpool.node.rest;

import io.vertx.core.Future;

/** Answers requests of one method for objects. */
interface ObjectRoute {
  /**
   * Answers the request. A failed future means that nothing has been answered; the caller does it
   * then.
   */
  Future<Void> handle(RestRequest request);
}
