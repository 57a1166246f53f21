package io.moonpool.node.rest;

import io.vertx.core.json.JsonObject;

/**
 * Whether a node can serve.
 *
 * @param ready true when requests for objects are answered
 * @param details for people
 */
public record HealthReport(boolean ready, JsonObject details) {}
