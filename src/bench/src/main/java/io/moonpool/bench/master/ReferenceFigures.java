package io.moonpool.bench.master;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Figures of another run or another system, to stand beside those of a run.
 *
 * @param about what they are of, in a sentence; may be empty
 * @param rows by their names
 */
public record ReferenceFigures(String about, Map<String, MasterRow> rows) {
  /** None. */
  public static final ReferenceFigures NONE = new ReferenceFigures("", Map.of());

  /**
   * Reads them.
   *
   * @param json as {@code --json} writes it; of each row the figures that are numbers count
   * @throws IllegalArgumentException when it is not of that form, with a message that says why
   */
  public static ReferenceFigures parse(String json) {
    Map<String, MasterRow> rows = new LinkedHashMap<>();
    JsonObject all;
    JsonArray given;
    try {
      all = new JsonObject(json);
      given = all.getJsonArray("rows");
    } catch (DecodeException | ClassCastException e) {
      throw new IllegalArgumentException("it is no JSON object with a list of 'rows'", e);
    }
    if (given == null) {
      throw new IllegalArgumentException("it has no list of 'rows'");
    }
    for (Object each : given) {
      if (!(each instanceof JsonObject row) || !(row.getValue("name") instanceof String name)) {
        throw new IllegalArgumentException("a row is no object with a 'name'");
      }
      Map<String, Double> figures = new LinkedHashMap<>();
      row.forEach(
          field -> {
            if (field.getValue() instanceof Number number) {
              figures.put(field.getKey(), number.doubleValue());
            }
          });
      rows.put(name, new MasterRow(name, figures));
    }
    return new ReferenceFigures(all.getString("about", ""), rows);
  }

  /** A figure; NaN when it is not there. */
  double figure(String row, String figure) {
    MasterRow found = rows.get(row);
    return found == null ? Double.NaN : found.figure(figure);
  }
}
