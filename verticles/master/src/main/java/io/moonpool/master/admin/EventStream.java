package io.moonpool.master.admin;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is a stream of server-sent events. Everything happens on the context of the
 * request.
 */
final class EventStream implements EventRoute.EventSink {
  /** A silent stream says that it lives, or it would be taken for idle. */
  private static final long ALIVE_MILLIS = 15_000;

  /** Events that a caller who does not read is sent at most, before it is given up. */
  private static final int MAX_UNREAD = 1_000;

  private static final Buffer ALIVE = Buffer.buffer(":\n\n");

  private final Vertx vertx;
  private final Context context;
  private final HttpServerResponse response;
  private @Nullable Runnable stop;
  private long aliveTimer = -1;
  private boolean over;
  private int unread;

  /** A stream; made on the context of its request. */
  EventStream(HttpServerResponse response) {
    Context current = Vertx.currentContext();
    if (current == null) {
      throw new IllegalStateException("not on the context of a request");
    }
    this.context = current;
    this.vertx = current.owner();
    this.response = response;
    response.closeHandler(closed -> finish());
    response.exceptionHandler(failure -> finish());
  }

  /**
   * Begins to answer.
   *
   * @param whenGone ends what sends the events
   */
  void begin(Runnable whenGone) {
    if (over) {
      whenGone.run();
      return;
    }
    stop = whenGone;
    aliveTimer = vertx.setPeriodic(ALIVE_MILLIS, tick -> write(ALIVE));
  }

  @Override
  public void send(String event, JsonObject data, boolean figures) {
    context.runOnContext(
        now -> {
          boolean full = !over && response.writeQueueFull();
          if (full && figures) {
            return;
          }
          unread = full ? unread + 1 : 0;
          if (unread > MAX_UNREAD) {
            finish();
            response.reset();
            return;
          }
          write(Buffer.buffer("event: " + event + "\ndata: " + data.encode() + "\n\n"));
        });
  }

  private void write(Buffer bytes) {
    if (!over) {
      head();
      response.write(bytes);
    }
  }

  /** The headers go with the first event, so that whatever fails before it is answered as such. */
  private void head() {
    if (!response.headWritten()) {
      response
          .setChunked(true)
          .putHeader("Content-Type", "text/event-stream")
          .putHeader("Cache-Control", "no-store");
    }
  }

  @Override
  public void end() {
    context.runOnContext(
        now -> {
          if (!over) {
            head();
            finish();
            response.end();
          }
        });
  }

  private void finish() {
    over = true;
    vertx.cancelTimer(aliveTimer);
    Runnable action = stop;
    stop = null;
    if (action != null) {
      action.run();
    }
  }
}
