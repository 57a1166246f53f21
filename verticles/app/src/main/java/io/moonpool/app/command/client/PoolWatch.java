package io.moonpool.app.command.client;

import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.drain.MasterRest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a master has told of its pool: the latest of each kind of event of {@code GET
 * /api/v1/events}. One thread.
 */
final class PoolWatch {
  private static final JsonArray NOTHING = new JsonArray();

  /** By id, the newest last. */
  private final Map<String, JsonObject> jobs = new LinkedHashMap<>();

  private final JsonObject cluster = new JsonObject();
  private JsonObject figures = new JsonObject();
  private JsonArray clients = NOTHING;
  private JsonArray segments = NOTHING;
  private boolean hello;
  private boolean jobsKnown;
  private boolean clientsKnown;
  private boolean segmentsKnown;

  /** Something was told. Events that it does not know are left alone. */
  void heard(MasterRest.Event event) {
    JsonObject data = event.data();
    switch (event.name()) {
      case "hello" -> {
        cluster.put("cluster_id", data.getString("cluster_id"));
        cluster.put("version", data.getString("version"));
        cluster.put("master_epoch", data.getString("master_epoch"));
        JsonArray samples = data.getJsonObject("figures").getJsonArray("samples");
        if (!samples.isEmpty()) {
          figures = samples.getJsonObject(samples.size() - 1);
        }
        hello = true;
      }
      case "jobs" -> {
        jobs.clear();
        DrainRows.list(data.getJsonArray("jobs")).reversed().forEach(this::put);
        jobsKnown = true;
      }
      case "drain" -> put(data.getJsonObject("job"));
      case "clients" -> {
        clients = data.getJsonArray("clients");
        clientsKnown = true;
      }
      case "segments" -> {
        segments = data.getJsonArray("segments");
        segmentsKnown = true;
      }
      case "figures" -> figures = data;
      default -> {
        // Single events of nodes and segments: the lists tell the same within a second.
      }
    }
  }

  private void put(JsonObject job) {
    jobs.put(job.getString("job_id"), job);
  }

  /** Whether all kinds have been heard that a master tells at once. */
  boolean isComplete() {
    return hello && jobsKnown && clientsKnown && segmentsKnown;
  }

  JsonObject cluster() {
    return cluster;
  }

  /** The figures of the last two seconds; empty when the master has run for less. */
  JsonObject figures() {
    return figures;
  }

  List<JsonObject> clients() {
    return DrainRows.list(clients);
  }

  List<JsonObject> segments() {
    return DrainRows.list(segments);
  }

  /** Those that run, and the last one that has ended; the newest first. */
  List<JsonObject> drains() {
    List<JsonObject> shown = new ArrayList<>();
    boolean ended = false;
    for (JsonObject job : List.copyOf(jobs.values()).reversed()) {
      if (!DrainJobs.hasEnded(job)) {
        shown.add(job);
      } else if (!ended) {
        shown.add(job);
        ended = true;
      }
    }
    return shown;
  }

  /** All of it as one object. */
  JsonObject toJson(long nowMillis) {
    return new JsonObject()
        .put("at_ms", nowMillis)
        .put("cluster", cluster.copy())
        .put("figures", figures.copy())
        .put("clients", new JsonArray(clients()))
        .put("segments", new JsonArray(segments()))
        .put("drains", new JsonArray(drains()));
  }
}
