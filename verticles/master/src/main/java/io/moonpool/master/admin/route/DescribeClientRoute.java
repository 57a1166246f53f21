package io.moonpool.master.admin.route;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.UUID;

/** Describes one client. */
public final class DescribeClientRoute implements Route {
  private final MasterOperations master;

  /** A route to that master. */
  public DescribeClientRoute(MasterOperations master) {
    this.master = master;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/api/v1/clients/{node_id}";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    UUID id = request.pathUuid("node_id");
    request.end();
    return master
        .clients()
        .map(
            clients ->
                clients.stream()
                    .filter(client -> client.nodeId().equals(id))
                    .findFirst()
                    .map(client -> Answer.ok(JsonForms.client(client)))
                    .orElseThrow(() -> new StoreException(ErrorCode.CLIENT_NOT_FOUND)));
  }
}
