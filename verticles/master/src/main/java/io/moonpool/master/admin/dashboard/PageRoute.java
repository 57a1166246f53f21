package io.moonpool.master.admin.dashboard;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.Map;
import java.util.Objects;

/** The page. Open to everybody: it asks for the token itself, and shows nothing without. */
public final class PageRoute implements Route {
  private final String path;
  private final Answer page;

  /** A route on that path. */
  public PageRoute(String path, Map<String, Asset> assets) {
    this.path = path;
    this.page = Objects.requireNonNull(assets.get(Assets.PAGE)).answer();
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public boolean open() {
    return true;
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    request.end();
    return Future.succeededFuture(page);
  }
}
