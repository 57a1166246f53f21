package io.moonpool.node.rest;

import io.vertx.core.Future;

/** {@code DELETE}: removes an object with all its parts; {@code ?force=true} also under a lease. */
final class DeleteObject implements ObjectRoute {
  @Override
  public Future<Void> handle(RestRequest request) {
    request.takesOnly("force");
    request.passBody(); // a DELETE's means nothing
    return request
        .values()
        .remove(request.key(), request.flag("force"))
        .compose(removed -> request.http().response().setStatusCode(204).end());
  }
}
