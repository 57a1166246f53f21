package io.moonpool.bench.master;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;

/**
 * What a run measured.
 *
 * @param settings of the run
 * @param rows in the order in which they were measured
 * @param reference what stands beside them
 */
public record MasterFigures(
    MasterSettings settings, List<MasterRow> rows, ReferenceFigures reference) {
  /** Copies the list. */
  public MasterFigures {
    rows = List.copyOf(rows);
  }

  /** The goals that were missed, a sentence each. */
  public List<String> misses() {
    return Goals.judge(rows, reference).stream()
        .filter(verdict -> !verdict.met())
        .map(Goals.Verdict::toString)
        .toList();
  }

  /** For programs. */
  public JsonObject toJson() {
    JsonArray all = new JsonArray();
    JsonObject json =
        new JsonObject()
            .put("protocol", settings.protocol().name().toLowerCase(Locale.ROOT))
            .put("keys", settings.keys())
            .put("clients", settings.clients())
            .put("batch", settings.batch())
            .put("seconds", settings.seconds());
    for (MasterRow row : rows) {
      all.add(row.toJson());
      if (row.name().equals(LoadRun.MEMORY)) {
        json.put(LoadRun.BYTES_PER_KEY, row.figure(LoadRun.BYTES_PER_KEY));
      }
    }
    JsonArray verdicts = new JsonArray();
    Goals.judge(rows, reference)
        .forEach(
            verdict ->
                verdicts.add(
                    new JsonObject()
                        .put("row", verdict.row())
                        .put("figure", verdict.figure())
                        .put("value", verdict.value())
                        .put(verdict.atMost() ? "at_most" : "at_least", verdict.goal())
                        .put("met", verdict.met())));
    return json.put("rows", all).put("goals", verdicts);
  }

  /** A table for people. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    if (settings.protocol() == CallProtocol.MOONCAKE) {
      text.append("in the calls of Mooncake's clients\n");
    }
    text.append(MasterRow.head()).append('\n');
    for (MasterRow row : rows) {
      text.append(row.toText()).append('\n');
      MasterRow other = reference.rows().get(row.name());
      if (other != null) {
        text.append(new MasterRow("  reference", other.figures()).toText()).append('\n');
      }
    }
    if (!reference.about().isEmpty()) {
      text.append(String.format(Locale.ROOT, "%nreference: %s%n", reference.about()));
    }
    text.append('\n');
    Goals.judge(rows, reference).forEach(verdict -> text.append(verdict).append('\n'));
    return text.toString();
  }
}
