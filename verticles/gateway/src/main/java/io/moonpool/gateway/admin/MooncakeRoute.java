package io.moonpool.gateway.admin;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.function.Function;

/**
 * One path as Mooncake's master has it. Parameters that it does not know are read over, and errors
 * have Mooncake's form. Event loop of the HTTP interface.
 *
 * @param method that it answers
 * @param path without parameters in it
 * @param open whether callers without the token may ask
 * @param body answers a request
 * @param failure what is answered when that fails
 */
record MooncakeRoute(
    HttpMethod method,
    String path,
    boolean open,
    Function<RouteRequest, Future<Answer>> body,
    Function<StoreException, Answer> failure)
    implements Route {
  /** A path for those with the token. */
  static MooncakeRoute get(String path, Function<RouteRequest, Future<Answer>> body) {
    return new MooncakeRoute(HttpMethod.GET, path, false, body, MooncakeAnswers::failed);
  }

  /** A path that changes something. */
  static MooncakeRoute post(String path, Function<RouteRequest, Future<Answer>> body) {
    return new MooncakeRoute(HttpMethod.POST, path, false, body, MooncakeAnswers::failed);
  }

  /** The same for everybody. */
  MooncakeRoute opened() {
    return new MooncakeRoute(method, path, true, body, failure);
  }

  /** The same with other answers to failures. */
  MooncakeRoute failing(Function<StoreException, Answer> other) {
    return new MooncakeRoute(method, path, open, body, other);
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    Future<Answer> answer;
    try {
      answer = body.apply(request);
    } catch (StoreException e) {
      answer = Future.failedFuture(e);
    }
    // What is no error of the table is a bug: the interface logs it.
    return answer.recover(
        cause ->
            cause instanceof StoreException known && known.code() != ErrorCode.INTERNAL_ERROR
                ? Future.succeededFuture(failure.apply(known))
                : Future.failedFuture(cause));
  }
}
