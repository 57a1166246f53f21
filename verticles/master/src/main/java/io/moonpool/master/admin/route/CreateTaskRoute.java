package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.drain.CopyRequest;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.drain.MoveRequest;
import io.moonpool.master.drain.TaskInfo;
import io.moonpool.master.request.DrainForms;
import io.moonpool.master.request.DrainRequests;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.json.Fields;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;

/** Starts to copy or move one object. */
public final class CreateTaskRoute implements Route {
  private final DrainOperations drains;

  /** A route to those drains. */
  public CreateTaskRoute(DrainOperations drains) {
    this.drains = drains;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.POST;
  }

  @Override
  public String path() {
    return "/api/v1/tasks";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    request.end();
    Fields fields = request.fields();
    Future<TaskInfo> created;
    if (fields.constant("type", TaskType.REPLICA_MOVE) == TaskType.REPLICA_MOVE) {
      MoveRequest move = DrainRequests.move(fields);
      fields.end();
      created = drains.createMoveTask(move);
    } else {
      CopyRequest copy = DrainRequests.copy(fields);
      fields.end();
      created = drains.createCopyTask(copy);
    }
    return created.map(task -> Answer.json(201, DrainForms.task(task)));
  }
}
