package io.moonpool.app.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.moonpool.app.monitoring.MonitoringFiles.Alert;
import io.moonpool.app.packaged.FatJar;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The files of {@code conf/monitoring} by themselves, and that their check finds what is wrong. */
class MonitoringFilesTest {
  private static final Exposition SERVED =
      Exposition.of(
          """
          # TYPE moonpool_clients gauge
          moonpool_clients{state="active"} 2.0
          moonpool_clients{state="suspected"} 0.0
          moonpool_pings_total 7.0
          """);

  @Test
  void theDashboardHasItsRows() throws IOException {
    assertThat(
            MonitoringFiles.panels().stream()
                .filter(panel -> panel.getString("type").equals("row"))
                .map(panel -> panel.getString("title")))
        .containsExactlyInAnyOrder("Liveness", "Drain", "Disk", "Capacity", "Heartbeat", "JVM");
  }

  @Test
  void panelsDoNotOverlapAndHaveIdsOfTheirOwn() throws IOException {
    List<JsonObject> panels = MonitoringFiles.panels();
    assertThat(panels).extracting(panel -> panel.getInteger("id")).doesNotHaveDuplicates();
    Set<List<Integer>> cells = new java.util.HashSet<>();
    for (JsonObject panel : panels) {
      JsonObject at = panel.getJsonObject("gridPos");
      for (int x = at.getInteger("x"); x < at.getInteger("x") + at.getInteger("w"); x++) {
        for (int y = at.getInteger("y"); y < at.getInteger("y") + at.getInteger("h"); y++) {
          assertThat(x).isLessThan(24);
          assertThat(cells.add(List.of(x, y))).as(panel.getString("title")).isTrue();
        }
      }
    }
  }

  @Test
  void alertsSayWhatToDoAndWhereMoreIsSaid() throws IOException {
    List<Alert> alerts = MonitoringFiles.alerts();
    assertThat(alerts).extracting(Alert::name).doesNotHaveDuplicates();
    assertThat(alerts.stream().map(Alert::group).collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(
            "moonpool-liveness", "moonpool-drain", "moonpool-disk", "moonpool-capacity");
    for (Alert alert : alerts) {
      assertThat(alert.labels().get("severity"))
          .as(alert.name())
          .isIn("info", "warning", "critical");
      assertThat(alert.annotations()).as(alert.name()).containsKeys("summary", "description");
      assertThat(alert.annotations())
          .containsEntry("runbook", "docs/operations.md#" + alert.name().toLowerCase(Locale.ROOT));
    }
  }

  @Test
  void everyAlertHasAPlaceInTheRunbookAndViceVersa() throws IOException {
    Matcher heading =
        Pattern.compile("(?m)^### (Moonpool\\w+)$")
            .matcher(Files.readString(FatJar.ROOT.resolve("docs/operations.md")));
    Set<String> headings = new TreeSet<>();
    while (heading.find()) {
      headings.add(heading.group(1));
    }
    assertThat(headings)
        .isEqualTo(
            MonitoringFiles.alerts().stream()
                .map(Alert::name)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void whatIsServedIsNoFault() {
    assertThat(
            SERVED.faults(
                "sum by (job, state) (moonpool_clients{state=~\"active|suspected\", job=\"x\"}) > 0"
                    + " and on (job, instance) rate(moonpool_pings_total[1m]) == 0.5",
                "{{ $labels.instance }} {{state}}"))
        .isEmpty();
  }

  @Test
  void aWrongNameIsFound() {
    assertThat(SERVED.faults("rate(moonpool_ping_total[5m])", ""))
        .containsExactly("moonpool_ping_total is not served");
    assertThat(SERVED.faults("moonpool_pings_total > on (job) moonpool_nodes * 2", ""))
        .containsExactly("moonpool_nodes is not served");
    assertThat(SERVED.faults("moonpool_clients{status=\"active\"}", ""))
        .containsExactly("moonpool_clients has no label status");
    assertThat(SERVED.faults("moonpool_clients{state=~\"active|dead\"}", ""))
        .containsExactly("moonpool_clients never has state=dead");
    assertThat(SERVED.faults("sum by (status) (moonpool_clients)", "")).hasSize(1);
    assertThat(SERVED.faults("moonpool_clients", "{{status}}")).hasSize(1);
  }

  @Test
  void whatIsNotUnderstoodIsRefused() {
    for (String expression :
        List.of(
            "histogram_quantile(0.9, moonpool_pings_total)",
            "{state=\"active\"}",
            "moonpool_clients{state='active'}",
            "moonpool_clients @ 5")) {
      assertThatIllegalArgumentException().isThrownBy(() -> PromQl.parse(expression));
    }
  }
}
