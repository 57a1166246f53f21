package io.moonpool.master.admin.route;

import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.drain.DrainRequest;
import io.moonpool.master.drain.JobInfo;
import io.moonpool.master.request.DrainForms;
import io.moonpool.master.request.DrainRequests;
import io.moonpool.protocol.json.Fields;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;

/** Starts a drain job, or tells what it would do. */
public final class CreateDrainJobRoute implements Route {
  private final DrainOperations drains;

  /** A route to those drains. */
  public CreateDrainJobRoute(DrainOperations drains) {
    this.drains = drains;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.POST;
  }

  @Override
  public String path() {
    return "/api/v1/drain_jobs";
  }

  @Override
  public Future<Answer> handle(RouteRequest request) {
    request.end();
    Fields fields = request.fields();
    boolean plan = fields.truth("plan", false);
    DrainRequest drain = DrainRequests.drain(fields);
    fields.end();
    return plan
        ? drains.planJob(drain).map(answer -> Answer.ok(DrainForms.plan(answer)))
        : drains.createJob(drain).map(job -> Answer.json(201, started(job)));
  }

  /** Mooncake's master has this path, too: what its programs look for in the answer is there. */
  private static JsonObject started(JobInfo job) {
    return DrainForms.job(job).put("success", true).put("error_code", 0).put("error_message", "");
  }
}
