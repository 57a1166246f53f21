package io.moonpool.master.admin;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;

/** One method on one path. Called on the event loop of the {@link AdminVerticle}. */
public interface Route {
  /** The method that it answers; a GET route also answers HEAD. */
  HttpMethod method();

  /**
   * The path, as in the OpenAPI document: segments between slashes, those in braces are parameters
   * that match any one segment.
   */
  String path();

  /** True when it is open to callers without the token. */
  default boolean open() {
    return false;
  }

  /**
   * Answers a request. Throwing a {@link io.moonpool.model.StoreException} and failing with it are
   * the same.
   */
  Future<Answer> handle(RouteRequest request);
}
