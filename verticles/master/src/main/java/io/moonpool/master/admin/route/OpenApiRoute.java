package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.OpenApiDocument;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;

/** The OpenAPI document of this interface, in one of its two formats. */
public final class OpenApiRoute implements Route {
  private final String path;
  private final Answer answer;

  private OpenApiRoute(String path, Answer answer) {
    this.path = path;
    this.answer = answer;
  }

  /** The route to the document as JSON. */
  public static OpenApiRoute json(OpenApiDocument document) {
    return new OpenApiRoute("/api/v1/openapi.json", new Answer(200, Answer.JSON, document.json()));
  }

  /** The route to the document as YAML. */
  public static OpenApiRoute yaml(OpenApiDocument document) {
    return new OpenApiRoute(
        "/api/v1/openapi.yaml", new Answer(200, "application/yaml", document.yaml()));
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
  public Future<Answer> handle(RouteRequest request) {
    request.end();
    return Future.succeededFuture(answer);
  }
}
