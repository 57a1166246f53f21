package io.moonpool.app.monitoring;

import io.moonpool.app.packaged.FatJar;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of {@code conf/monitoring}. */
final class MonitoringFiles {
  private static final Path FOLDER = FatJar.ROOT.resolve("conf/monitoring");
  private static final Pattern VARIABLE =
      Pattern.compile("label_values\\((?<series>.+), *(?<label>[a-z_]+)\\)");

  private MonitoringFiles() {}

  /**
   * An expression of a file.
   *
   * @param where it stands
   * @param text that shows labels of its result
   */
  record Query(String where, String expression, String text) {}

  /** An alert rule, as it is written. */
  record Alert(String group, String name, Map<String, Object> rule) {
    String expression() {
      return (String) rule.get("expr");
    }

    @SuppressWarnings("unchecked")
    Map<String, String> annotations() {
      return (Map<String, String>) rule.get("annotations");
    }

    @SuppressWarnings("unchecked")
    Map<String, String> labels() {
      return (Map<String, String>) rule.get("labels");
    }

    Query query() {
      return new Query("alert " + name, expression(), String.join(" ", annotations().values()));
    }
  }

  static JsonObject dashboard() throws IOException {
    return new JsonObject(Files.readString(FOLDER.resolve("grafana-dashboard.json")));
  }

  /** The panels of the dashboard, rows among them. */
  static List<JsonObject> panels() throws IOException {
    return objects(dashboard().getJsonArray("panels"));
  }

  private static List<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast).toList();
  }

  /** All expressions of the dashboard, those of its variables included. */
  static List<Query> dashboardQueries() throws IOException {
    List<Query> queries = new ArrayList<>();
    for (JsonObject variable :
        objects(dashboard().getJsonObject("templating").getJsonArray("list"))) {
      if (variable.getString("type").equals("query")) {
        Matcher values = VARIABLE.matcher(variable.getJsonObject("query").getString("query"));
        if (!values.matches()) {
          throw new IllegalArgumentException("not understood: " + variable.encode());
        }
        queries.add(
            new Query(
                "variable " + variable.getString("name"),
                values.group("series"),
                "{{" + values.group("label") + "}}"));
      }
    }
    for (JsonObject panel : panels()) {
      for (JsonObject target : objects(panel.getJsonArray("targets", new JsonArray()))) {
        queries.add(
            new Query(
                "panel " + panel.getString("title"),
                target.getString("expr"),
                target.getString("legendFormat")));
      }
    }
    return queries;
  }

  /** All alert rules. */
  @SuppressWarnings("unchecked")
  static List<Alert> alerts() throws IOException {
    Map<String, Object> file =
        new Yaml(new SafeConstructor(new LoaderOptions()))
            .load(Files.readString(FOLDER.resolve("alerts.yaml")));
    List<Alert> alerts = new ArrayList<>();
    for (Map<String, Object> group : (List<Map<String, Object>>) file.get("groups")) {
      for (Map<String, Object> rule : (List<Map<String, Object>>) group.get("rules")) {
        alerts.add(new Alert((String) group.get("name"), (String) rule.get("alert"), rule));
      }
    }
    return alerts;
  }

  /** All expressions of both. */
  static List<Query> queries() throws IOException {
    return Stream.concat(dashboardQueries().stream(), alerts().stream().map(Alert::query)).toList();
  }
}
