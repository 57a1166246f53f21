package io.moonpool.master.admin.route;

import io.moonpool.master.admin.EventRoute;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.drain.DrainEvent;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.request.DrainForms;
import io.vertx.core.Future;
import java.util.UUID;

/** Tells of all that happens to a drain job, until it has ended. */
public final class DrainJobEventsRoute implements EventRoute {
  private final DrainOperations drains;

  /** A route to those drains. */
  public DrainJobEventsRoute(DrainOperations drains) {
    this.drains = drains;
  }

  @Override
  public String path() {
    return "/api/v1/drain_jobs/{job_id}/events";
  }

  @Override
  public Future<Runnable> open(RouteRequest request, EventSink sink) {
    UUID id = request.pathUuid("job_id");
    request.end();
    return drains
        .watch(
            id,
            event -> {
              sink.send(
                  event.event(),
                  DrainForms.job(event.job()),
                  event.event().equals(DrainEvent.PROGRESS));
              if (event.job().status().terminal()) {
                sink.end();
              }
            })
        .map(watch -> watch::stop);
  }
}
