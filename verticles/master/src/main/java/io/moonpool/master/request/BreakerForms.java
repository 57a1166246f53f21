package io.moonpool.master.request;

import io.moonpool.master.monitor.BreakerState;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.UUID;

/** The JSON form of what keeps nodes from going OFFLINE. */
public final class BreakerForms {
  private BreakerForms() {}

  /** Its state. */
  public static JsonObject state(BreakerState state) {
    return new JsonObject()
        .put("enabled", state.enabled())
        .put("holding", state.holding())
        .put("reason", state.trips() == 0 ? "" : JsonForms.name(state.reason()))
        .put("held_node_ids", new JsonArray(state.held().stream().map(UUID::toString).toList()))
        .put("trips", state.trips());
  }
}
