package io.moonpool.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.node.disk.DiskConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/metrics.md} and what a node serves. */
class NodeMetricsPageTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (`moonpool_node_[^|]*) \\| ([a-z]+) \\|");
  private static final Pattern NAME = Pattern.compile("`(moonpool_node_[a-z_]+)`");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (moonpool_node_\\S+) (\\S+)$");

  @TempDir private Path directory;

  @Test
  void everythingServedIsDocumentedAndViceVersa() throws Exception {
    try (Cluster cluster = new Cluster(directory)) {
      Node node =
          cluster.node(
              cluster.settings("a").disk(DiskConfig.in(directory.resolve("disk"))).build());

      Map<String, String> served = new TreeMap<>();
      Matcher type = TYPE.matcher(scrape(node));
      while (type.find()) {
        served.put(type.group(1), type.group(2));
      }

      assertThat(served).isEqualTo(documented());
    }
  }

  private static String scrape(Node node) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.httpPort() + "/metrics"))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private static Map<String, String> documented() throws IOException {
    Map<String, String> metrics = new TreeMap<>();
    Path page = Path.of(System.getProperty("moonpool.root"), "docs", "metrics.md");
    Matcher row = ROW.matcher(Files.readString(page));
    while (row.find()) {
      Matcher name = NAME.matcher(row.group(1));
      while (name.find()) {
        metrics.put(name.group(1), row.group(2));
      }
    }
    return metrics;
  }
}
