package io.moonpool.bench.heartbeat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the metrics of the master. Blocks; one thread at a time. */
public final class MasterFiguresReader implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpRequest request;

  /** A reader of that master. */
  public MasterFiguresReader(MasterUnderTest master) {
    request =
        HttpRequest.newBuilder(
                URI.create("http://" + master.host() + ":" + master.httpPort() + "/metrics"))
            .timeout(LIMIT)
            .build();
  }

  /** The metrics of one moment. */
  public record Scrape(String text) {
    /** The sum of a metric over the lines whose labels hold a text; 0 when there are none. */
    public double sum(String name, String label) {
      Matcher lines =
          Pattern.compile("(?m)^" + Pattern.quote(name) + "(\\{[^}]*\\})? (\\S+)$").matcher(text);
      double sum = 0;
      while (lines.find()) {
        String labels = lines.group(1) == null ? "" : lines.group(1);
        if (labels.contains(label)) {
          sum += Double.parseDouble(lines.group(2));
        }
      }
      return sum;
    }

    /** Objects in the index. */
    public long objects() {
      return (long) sum("moonpool_objects", "");
    }

    /** Objects that were evicted so far. */
    public long evicted() {
      return (long) sum("moonpool_evicted_objects_total", "");
    }

    long suspected() {
      return (long) sum("moonpool_client_transitions_total", "to=\"suspected\"");
    }

    long offline() {
      return (long) sum("moonpool_client_transitions_total", "to=\"offline\"");
    }
  }

  /**
   * Reads the metrics of this moment.
   *
   * @throws IOException when they cannot be read
   */
  public Scrape read() throws IOException, InterruptedException {
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException("the master's metrics answer with " + response.statusCode());
    }
    return new Scrape(response.body());
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
