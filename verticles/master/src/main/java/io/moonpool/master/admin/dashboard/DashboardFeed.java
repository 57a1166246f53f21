package io.moonpool.master.admin.dashboard;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.MasterStats;
import io.moonpool.master.admin.EventRoute.EventSink;
import io.moonpool.master.drain.DrainEvent;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.request.DrainForms;
import io.moonpool.model.SegmentInfo;
import io.moonpool.protocol.bus.Addresses;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.HelloAnswer;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What the dashboard shows: figures of the last quarter of an hour, the latest events, and, while
 * somebody watches, clients, segments and drain jobs as they are.
 *
 * <p>Figures are read from counters, which waits for nobody. Owners of state are asked once a
 * second, however many watch, never while nobody does, and not again before they have answered. So
 * a viewer costs the master the same as a client that lists its segments once a second. Belongs to
 * the context that starts it.
 */
public final class DashboardFeed {
  /** From one reading of the counters to the next. */
  static final long FIGURES_MILLIS = 2_000;

  private static final int SAMPLES = 450;
  private static final int EVENTS = 200;
  private static final int JOBS = 100;
  private static final long STATE_MILLIS = 1_000;
  private static final long[] ALL = {};

  private final Vertx vertx;
  private final MasterOperations master;
  private final DrainOperations drains;
  private final MasterStats stats;
  private final HelloAnswer hello;
  private final Deque<JsonObject> samples = new ArrayDeque<>();
  private final Deque<JsonObject> events = new ArrayDeque<>();
  private final List<EventSink> sinks = new ArrayList<>();
  private FigureSample last;
  private long stateTimer = -1;
  private boolean asking;

  /** A feed of that master. */
  public DashboardFeed(
      Vertx vertx,
      MasterOperations master,
      DrainOperations drains,
      MasterStats stats,
      HelloAnswer hello) {
    this.vertx = vertx;
    this.master = master;
    this.drains = drains;
    this.stats = stats;
    this.hello = hello;
    this.last = FigureSample.read(stats, System.currentTimeMillis());
  }

  /** Begins to remember; ends with the verticle whose context this is called on. */
  public void start() {
    vertx.setPeriodic(FIGURES_MILLIS, tick -> sample());
    listen("client", Addresses.CLIENT_EVENTS);
    listen("segment", Addresses.SEGMENT_EVENTS);
    listen("drain", Addresses.DRAIN_EVENTS);
  }

  private void listen(String kind, String address) {
    vertx.eventBus().<JsonObject>localConsumer(address, message -> happened(kind, message.body()));
  }

  private void sample() {
    FigureSample now = FigureSample.read(stats, System.currentTimeMillis());
    JsonObject sample = now.since(last);
    last = now;
    remember(samples, sample, SAMPLES);
    tell("figures", sample, true);
  }

  private void happened(String kind, JsonObject body) {
    boolean progress = DrainEvent.PROGRESS.equals(body.getString("event"));
    JsonObject segment = body.getJsonObject("segment");
    if (segment != null) {
      // Addresses of memory are for clients, not for people.
      segment.remove("endpoints");
    }
    JsonObject event = body.put("at_ms", System.currentTimeMillis());
    if (!progress) {
      remember(events, new JsonObject().put("kind", kind).put("data", event), EVENTS);
    }
    tell(kind, event, progress);
  }

  private static void remember(Deque<JsonObject> memory, JsonObject item, int most) {
    memory.addLast(item);
    if (memory.size() > most) {
      memory.removeFirst();
    }
  }

  private void tell(String event, JsonObject data, boolean figures) {
    sinks.forEach(sink -> sink.send(event, data, figures));
  }

  /** The figures of the last quarter of an hour, the oldest first. */
  JsonObject figures() {
    return new JsonObject()
        .put("interval_ms", FIGURES_MILLIS)
        .put("samples", new JsonArray(List.copyOf(samples)));
  }

  /**
   * Sends what is known, and from then on what happens.
   *
   * @return ends that
   */
  Runnable watch(EventSink sink) {
    sink.send(
        "hello",
        new JsonObject()
            .put("cluster_id", hello.clusterId())
            .put("version", hello.serverVersion())
            .put("master_epoch", Long.toString(hello.masterEpoch()))
            .put("figures", figures())
            .put("events", new JsonArray(List.copyOf(events))),
        false);
    sinks.add(sink);
    if (stateTimer < 0) {
      stateTimer = vertx.setPeriodic(STATE_MILLIS, tick -> ask());
    }
    drains
        .jobs()
        .onSuccess(
            jobs ->
                sink.send(
                    "jobs",
                    new JsonObject()
                        .put(
                            "jobs",
                            JsonForms.array(
                                jobs.subList(0, Math.min(JOBS, jobs.size())), DrainForms::job)),
                    false));
    ask();
    return () -> {
      sinks.remove(sink);
      if (sinks.isEmpty()) {
        vertx.cancelTimer(stateTimer);
        stateTimer = -1;
      }
    };
  }

  private void ask() {
    if (asking) {
      return;
    }
    asking = true;
    master
        .clients()
        .onSuccess(
            clients ->
                tell(
                    "clients",
                    new JsonObject().put("clients", JsonForms.array(clients, JsonForms::client)),
                    true))
        .compose(clients -> master.describeSegments(new DescribeSegments(ALL)))
        .onSuccess(
            segments ->
                tell(
                    "segments",
                    new JsonObject()
                        .put("segments", JsonForms.array(segments, DashboardFeed::segment)),
                    true))
        .onComplete(done -> asking = false);
  }

  private static JsonObject segment(SegmentInfo segment) {
    JsonObject json = JsonForms.segment(segment);
    json.remove("endpoints");
    return json;
  }
}
