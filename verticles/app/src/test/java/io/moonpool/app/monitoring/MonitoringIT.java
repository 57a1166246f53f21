package io.moonpool.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.app.cluster.LocalCluster;
import io.moonpool.app.monitoring.MonitoringFiles.Query;
import io.moonpool.app.monitoring.PromQl.Selector;
import io.moonpool.app.packaged.FatJar;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every name in {@code conf/monitoring} against what a master and a node with a disk serve. */
@Timeout(240)
class MonitoringIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** What begins with one of these has its place on the dashboard. */
  private static final List<String> FAMILIES =
      List.of(
          "moonpool_client",
          "moonpool_disk_",
          "moonpool_drain_",
          "moonpool_evicted_",
          "moonpool_journal_",
          "moonpool_loop_",
          "moonpool_memory_",
          "moonpool_pings_",
          "moonpool_promotion",
          "moonpool_segments",
          "moonpool_tasks",
          "moonpool_node_disk_",
          "moonpool_node_local_disk_",
          "moonpool_node_master_",
          "moonpool_node_mounted",
          "moonpool_node_ping",
          "moonpool_node_remounts",
          "moonpool_node_segment",
          "moonpool_node_task");

  @TempDir Path folder;

  private static String ask(HttpClient http, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isLessThan(300);
    return answer.body();
  }

  private static Exposition scrape(HttpClient http, LocalCluster cluster)
      throws IOException, InterruptedException {
    return Exposition.of(
        ask(http, HttpRequest.newBuilder(URI.create(cluster.masterUrl() + "/metrics"))),
        ask(
            http,
            HttpRequest.newBuilder(URI.create(cluster.nodes().getFirst().url() + "/metrics"))));
  }

  @Test
  void everyNameIsServedAndWhatMattersIsShown() throws Exception {
    LocalCluster cluster =
        LocalCluster.start(
            FatJar.JAVA,
            folder,
            1,
            new LocalCluster.Lent(32L << 20, folder.resolve("ssd"), 1L << 30));
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI object = URI.create(cluster.nodes().getFirst().url() + "/v1/objects/shown");
      ask(http, HttpRequest.newBuilder(object).PUT(HttpRequest.BodyPublishers.ofString("value")));
      ask(http, HttpRequest.newBuilder(object));
      List<Query> queries = MonitoringFiles.queries();
      // Figures of the collector appear with its first collection.
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(faults(scrape(http, cluster), queries)).isEmpty());
      Exposition served = scrape(http, cluster);
      Set<String> shown =
          MonitoringFiles.dashboardQueries().stream()
              .flatMap(query -> PromQl.parse(query.expression()).selectors().stream())
              .map(Selector::metric)
              .collect(Collectors.toSet());
      assertThat(shown).containsAll(served.metrics(FAMILIES));
      for (String family : FAMILIES) {
        assertThat(served.metrics(List.of(family))).as(family).isNotEmpty();
      }
    } finally {
      cluster.stop();
    }
  }

  private static List<String> faults(Exposition served, List<Query> queries) {
    List<String> faults = new ArrayList<>();
    for (Query query : queries) {
      served
          .faults(query.expression(), query.text())
          .forEach(fault -> faults.add(query.where() + ": " + fault));
    }
    return faults;
  }
}
