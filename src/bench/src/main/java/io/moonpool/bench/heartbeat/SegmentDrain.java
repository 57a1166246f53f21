package io.moonpool.bench.heartbeat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;

/** Drains of segments, asked for over REST as operators do. Any thread but event loops. */
public final class SegmentDrain {
  private static final int CONCURRENCY = 64;

  private SegmentDrain() {}

  /**
   * Has a drain of a segment begin. Blocks until the master has taken note of it.
   *
   * @throws IOException when the master refuses or cannot be reached
   */
  public static void begin(MasterUnderTest master, UUID segment)
      throws IOException, InterruptedException {
    JsonObject wish =
        new JsonObject()
            .put("segments", new JsonArray().add(segment.toString()))
            .put("max_concurrency", CONCURRENCY);
    URI jobs =
        URI.create("http://" + master.host() + ":" + master.httpPort() + "/api/v1/drain_jobs");
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(jobs)
                  .POST(HttpRequest.BodyPublishers.ofString(wish.encode()))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new IOException("the drain was refused: " + answer.body());
      }
    }
  }
}
