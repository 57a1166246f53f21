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
    HttpResponse<String> answer =
        send(
            master,
            "/api/v1/drain_jobs",
            HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.ofString(wish.encode())));
    if (answer.statusCode() / 100 != 2) {
      throw new IOException("the drain was refused: " + answer.body());
    }
  }

  /** Asks a master for something that is not measured, so that the first drain is no slower. */
  public static void warmUp(MasterUnderTest master) throws IOException, InterruptedException {
    send(master, "/api/v1/drain_jobs", HttpRequest.newBuilder().GET());
  }

  private static HttpResponse<String> send(
      MasterUnderTest master, String path, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    URI place = URI.create("http://" + master.host() + ":" + master.httpPort() + path);
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request.uri(place).build(), HttpResponse.BodyHandlers.ofString());
    }
  }
}
