package io.moonpool.app.drain;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A master's drain jobs over REST. */
final class DrainRest implements AutoCloseable {
  private final HttpClient http = HttpClient.newHttpClient();
  private final String jobs;

  DrainRest(String port) {
    jobs = "http://127.0.0.1:" + port + "/api/v1/drain_jobs";
  }

  /** What a job looks like from outside. */
  record Job(
      String id,
      String status,
      long succeeded,
      long failed,
      long lost,
      long migratedBytes,
      String message) {
    boolean ended() {
      return status.equals("succeeded") || status.equals("failed") || status.equals("canceled");
    }

    private static Job of(JsonObject json) {
      return new Job(
          json.getString("job_id"),
          json.getString("status"),
          json.getLong("succeeded_units"),
          json.getLong("failed_units"),
          json.getLong("lost_units"),
          json.getLong("migrated_bytes"),
          json.getString("message"));
    }
  }

  /** Starts to drain a node. */
  Job drain(String node, long maxBytesPerSecond) throws IOException, InterruptedException {
    JsonObject wish =
        new JsonObject().put("node", node).put("max_bytes_per_second", maxBytesPerSecond);
    return ask(
        HttpRequest.newBuilder(URI.create(jobs))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(wish.encode())));
  }

  Job job(String id) throws IOException, InterruptedException {
    return ask(HttpRequest.newBuilder(URI.create(jobs + "/" + id)));
  }

  private Job ask(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() >= 400) {
      throw new IOException(answer.body());
    }
    return Job.of(new JsonObject(answer.body()));
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
