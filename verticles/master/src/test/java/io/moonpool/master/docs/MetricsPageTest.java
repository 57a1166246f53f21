package io.moonpool.master.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.master.MasterConfig;
import io.moonpool.master.TestMaster;
import io.moonpool.master.WholeMaster;
import io.moonpool.protocol.grpc.ClientsGrpcClient;
import io.moonpool.protocol.grpc.ListClientsRequest;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics.md} and what a master serves. */
class MetricsPageTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z_0-9]+)` \\| ([a-z]+) \\| (.*?) \\| .+ \\|$");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\S+) (\\S+)$");
  private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z_0-9]+)(?:\\{(.*)})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

  /** Registered by the command line program, not by a master. */
  private static final String OF_THE_PROGRAM = "moonpool_log_events_dropped_total";

  /** The page lists what nodes serve, too. */
  private static final String OF_NODES = "moonpool_node_";

  private WholeMaster master;

  private record Metric(String type, Set<String> labels) {}

  @BeforeEach
  void start() {
    master = WholeMaster.start(MasterConfig.builder());
  }

  @AfterEach
  void stop() {
    master.close();
  }

  /** Something of everything, with values that callers chose. */
  private String scrapeAfterTraffic() {
    master.test().node(1, 1 << 20);
    master.test().put(100, "chosen-key");
    master.rest().get("/api/v1/objects/chosen-key");
    master.rest().get("/api/v1/objects?tenant=chosen-tenant");
    master.rest().get("/chosen/path");
    master.rest().call("CHOSEN", "/api/v1/objects");
    TestMaster.await(
        ClientsGrpcClient.create(master.grpcClient(), master.grpcAddress())
            .list(ListClientsRequest.getDefaultInstance()));
    master.ask("moonpool.v1.objects.exists", new JsonObject().put("key", "chosen-key"));
    return master.rest().get("/metrics").response().body();
  }

  @Test
  void everythingServedIsDocumentedAndViceVersa() {
    Map<String, Metric> documented = documented();
    Map<String, Metric> served = served(scrapeAfterTraffic());
    served.forEach((name, metric) -> assertThat(documented).as(name).containsEntry(name, metric));
    documented.keySet().stream()
        .filter(name -> name.startsWith("moonpool_") && !name.startsWith(OF_NODES))
        .filter(name -> !name.equals(OF_THE_PROGRAM))
        .forEach(name -> assertThat(served).containsKey(name));
  }

  @Test
  void noLabelTakesAValueThatACallerChose() {
    String scrape = scrapeAfterTraffic();
    assertThat(scrape.toLowerCase()).doesNotContain("chosen");
    assertThat(scrape)
        .contains("method=\"other\"")
        .contains("route=\"/api/v1/objects/{key}\"")
        .contains("route=\"grpc\"");
  }

  @Test
  void countsEachCallOnceWhateverItCameThrough() {
    master.test().node(1, 1 << 20);
    master.test().put(100, "a", "b");
    master.test().locate("a");
    master.ask("moonpool.v1.objects.locate", new JsonObject().put("key", "b"));
    master.rest().get("/api/v1/objects/none");
    assertThat(master.rest().get("/metrics").response().body())
        .contains("moonpool_calls_total{call=\"put_start\"} 1.0\n")
        .contains("moonpool_call_items_total{call=\"put_start\"} 2.0\n")
        .contains("moonpool_calls_total{call=\"locate\"} 2.0\n")
        .contains("moonpool_failed_call_items_total{call=\"locate\"} 0.0\n")
        .contains("moonpool_failed_call_items_total{call=\"describe\"} 1.0\n")
        .contains("moonpool_objects 2.0\n")
        .containsPattern("moonpool_index_bytes [1-9]")
        .containsPattern("moonpool_index_used_bytes [1-9]");
  }

  private static Map<String, Metric> documented() {
    Map<String, Metric> metrics = new TreeMap<>();
    Matcher row = ROW.matcher(new Document("metrics.md").text());
    while (row.find()) {
      Set<String> labels = new TreeSet<>();
      for (String label : row.group(3).split(",")) {
        if (!label.isBlank()) {
          labels.add(label.strip().replace("`", ""));
        }
      }
      metrics.put(row.group(1), new Metric(row.group(2), labels));
    }
    return metrics;
  }

  private static Map<String, Metric> served(String scrape) {
    Map<String, Metric> metrics = new TreeMap<>();
    Matcher type = TYPE.matcher(scrape);
    while (type.find()) {
      metrics.put(type.group(1), new Metric(type.group(2), new TreeSet<>()));
    }
    Matcher sample = SAMPLE.matcher(scrape);
    while (sample.find()) {
      String name = sample.group(1);
      String family = metrics.containsKey(name) ? name : name.replaceAll("_(count|sum)$", "");
      assertThat(metrics).containsKey(family);
      if (sample.group(2) != null) {
        Matcher label = LABEL.matcher(sample.group(2));
        while (label.find()) {
          metrics.get(family).labels().add(label.group(1));
        }
      }
    }
    return metrics;
  }
}
