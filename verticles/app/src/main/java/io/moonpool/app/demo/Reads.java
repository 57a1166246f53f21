package io.moonpool.app.demo;

import io.vertx.core.json.JsonObject;

/**
 * A phase in which all objects were read.
 *
 * @param timings how fast
 * @param sources where from
 */
record Reads(Timings timings, ReadSources sources) {
  /** For programs. */
  JsonObject toJson(int lanes) {
    return timings
        .toJson(lanes)
        .put("bytes_from_memory", sources.bytesFromMemory())
        .put("bytes_from_disk", sources.bytesFromDisk());
  }
}
