package io.moonpool.master.admin;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;

/** A path that answers with a stream of server-sent events. Called as {@link Route}. */
public interface EventRoute extends Route {
  @Override
  default HttpMethod method() {
    return HttpMethod.GET;
  }

  /** Only a stream can answer; a HEAD request is answered with the headers of one. */
  @Override
  default Future<Answer> handle(RouteRequest request) {
    throw new IllegalStateException("events are not answered at once");
  }

  /**
   * Opens a stream.
   *
   * @param sink takes the events; on any context
   * @return ends the stream when the caller is gone; fails as {@link #handle} would
   */
  Future<Runnable> open(RouteRequest request, EventSink sink);

  /** Where events go. Any thread may call; each event is complete before the next. */
  interface EventSink {
    /** Nobody listens. */
    EventSink NONE =
        new EventSink() {
          @Override
          public void send(String event, JsonObject data, boolean figures) {}

          @Override
          public void end() {}
        };

    /** Sends an event. One that only tells of figures is left out when the caller reads slowly. */
    void send(String event, JsonObject data, boolean figures);

    /** Sends nothing more, and ends the answer. */
    void end();
  }
}
