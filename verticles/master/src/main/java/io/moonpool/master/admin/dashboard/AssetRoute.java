package io.moonpool.master.admin.dashboard;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.Map;

/** The files that the page is made of. Open to everybody, like the page. */
public final class AssetRoute implements Route {
  private final Map<String, Asset> assets;

  /** A route to those files. */
  public AssetRoute(Map<String, Asset> assets) {
    this.assets = assets;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/dashboard/{file}";
  }

  @Override
  public boolean open() {
    return true;
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    String name = request.path("file");
    request.end();
    Asset asset = assets.get(name);
    return Future.succeededFuture(
        asset == null
            ? Answer.json(
                404,
                JsonForms.error(
                    ErrorCode.NOT_SUPPORTED, "the dashboard has no such file: open it at /"))
            : asset.answer());
  }
}
