package io.moonpool.app.documents;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Lays JSON out for a page: on one line what fits on it, else a member or an element a line. */
final class JsonLayout {
  private static final int WIDTH = 110;

  private JsonLayout() {}

  static String of(Object json) {
    return layout(json, "");
  }

  private static String layout(Object json, String indent) {
    String line = oneLine(json);
    if (indent.length() + line.length() <= WIDTH) {
      return line;
    }
    String inner = indent + "  ";
    List<String> members = new ArrayList<>();
    return switch (json) {
      case JsonObject object -> {
        object.forEach(
            entry ->
                members.add(
                    inner + Json.encode(entry.getKey()) + ": " + layout(entry.getValue(), inner)));
        yield "{\n" + String.join(",\n", members) + "\n" + indent + "}";
      }
      case JsonArray array -> {
        array.forEach(element -> members.add(inner + layout(element, inner)));
        yield "[\n" + String.join(",\n", members) + "\n" + indent + "]";
      }
      default -> line;
    };
  }

  private static String oneLine(Object json) {
    List<String> members = new ArrayList<>();
    return switch (json) {
      case JsonObject object -> {
        object.forEach(
            entry -> members.add(Json.encode(entry.getKey()) + ": " + oneLine(entry.getValue())));
        yield "{" + String.join(", ", members) + "}";
      }
      case JsonArray array -> {
        array.forEach(element -> members.add(oneLine(element)));
        yield "[" + String.join(", ", members) + "]";
      }
      case null -> "null";
      default -> Json.encode(json);
    };
  }
}
