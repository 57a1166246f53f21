package io.moonpool.app.documents;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Compares an answer of a run with the one that a document shows.
 *
 * <p>Text is compared line by line and word by word, JSON by its structure, whatever its layout and
 * the order of its members; arrays of objects in any order, since listings promise none. What
 * differs from run to run does not count: ids, ports and process ids may be others, but the same
 * ones wherever the document has the same (see {@link Bindings}); times and rates may be any.
 */
final class AnswerComparison {
  private static final String ID = "id";
  private static final String UUIDS =
      "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
  private static final String NUMBERS = "\\b\\d{10,}\\b";
  private static final List<Pattern> IDS =
      List.of(Pattern.compile(UUIDS), Pattern.compile(NUMBERS));

  /** Words that differ from run to run. Those of the group are bound, the others are not. */
  private static final Pattern WORD =
      Pattern.compile(
          "(?<id>"
              + UUIDS
              + "|"
              + NUMBERS
              + "|(?<=127\\.0\\.0\\.1:)\\d+"
              + "|(?<=\\b(?:pid|rpc|grpc|http|heartbeat|data)=)\\d+)"
              + "|((?<![\\d.])\\d+\\.\\d+(?:\\.\\d+)?(?:-\\w+)?(?![\\d.])"
              + "|\\b\\d+(?= (?:s|ms|MB/s)\\b))");

  /** Members whose value is a time, or bytes that describe this machine's memory. */
  private static final Pattern UNSTABLE =
      Pattern.compile(".*(_ms|_millis|Millis)|descriptor|regionDescriptor");

  /** Members that hold this machine's name. */
  private static final Set<String> HOST = Set.of("host_id", "hostId");

  /** Members that hold an identifier of 64 bits, as decimal text. */
  private static final Pattern IDENTIFIER =
      Pattern.compile("(id|.*_id|.*Id|version|generations?|incarnation|.*[eE]poch|.*[cC]ursor)");

  private final Bindings bindings;

  AnswerComparison(Bindings bindings) {
    this.bindings = bindings;
  }

  /** Tells the first difference, and binds what the document's words stand for. */
  Optional<String> difference(String shown, String actual) {
    Optional<Object> shownJson = json(shown);
    Optional<Object> actualJson = json(actual);
    if (shownJson.isPresent() && actualJson.isPresent()) {
      return json("", "", shownJson.get(), actualJson.get(), bindings);
    }
    return lines(shown, actual);
  }

  /**
   * Lets the ids of an answer that is not as shown stand for those of the document, in the order in
   * which they come. Those that stand for something already keep it.
   */
  void bindInOrder(String shown, String actual) {
    for (Pattern kind : IDS) {
      Matcher left = kind.matcher(shown);
      Matcher right = kind.matcher(actual);
      while (left.find() && right.find()) {
        bindings.bind(left.group(), right.group());
      }
    }
  }

  /** An object or array, when the text is one. */
  static Optional<Object> json(String text) {
    String stripped = text.strip();
    try {
      if (stripped.startsWith("{")) {
        return Optional.of(new JsonObject(stripped));
      }
      if (stripped.startsWith("[")) {
        return Optional.of(new JsonArray(stripped));
      }
    } catch (DecodeException notJson) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  private Optional<String> lines(String shown, String actual) {
    List<String> shownLines = shown.lines().toList();
    List<String> actualLines = actual.lines().toList();
    for (int i = 0; i < Math.min(shownLines.size(), actualLines.size()); i++) {
      Optional<String> difference = text(shownLines.get(i), actualLines.get(i), bindings);
      if (difference.isPresent()) {
        return Optional.of("in line " + (i + 1) + ", " + difference.get());
      }
    }
    return shownLines.size() == actualLines.size()
        ? Optional.empty()
        : Optional.of(
            "the document shows "
                + shownLines.size()
                + " lines, the answer has "
                + actualLines.size());
  }

  private static Optional<String> text(String shown, String actual, Bindings bindings) {
    Matcher left = WORD.matcher(shown);
    Matcher right = WORD.matcher(actual);
    int leftEnd = 0;
    int rightEnd = 0;
    while (true) {
      boolean hasLeft = left.find();
      boolean hasRight = right.find();
      String leftText = shown.substring(leftEnd, hasLeft ? left.start() : shown.length());
      String rightText = actual.substring(rightEnd, hasRight ? right.start() : actual.length());
      if (hasLeft != hasRight || !evenly(leftText).equals(evenly(rightText))) {
        return differ(shown, actual);
      }
      if (!hasLeft) {
        return Optional.empty();
      }
      boolean sameKind = (left.group(ID) == null) == (right.group(ID) == null);
      if (!sameKind || left.group(ID) != null && !bindings.bind(left.group(), right.group())) {
        return differ(shown, actual);
      }
      leftEnd = left.end();
      rightEnd = right.end();
    }
  }

  /** A column is as wide as it has to be. */
  private static String evenly(String text) {
    return text.replaceAll(" +", " ");
  }

  private static Optional<String> differ(Object shown, Object actual) {
    return Optional.of("the document shows <" + shown + ">, the answer is <" + actual + ">");
  }

  private static Optional<String> json(
      String path, String member, Object shown, Object actual, Bindings bindings) {
    if (shown instanceof JsonObject left && actual instanceof JsonObject right) {
      Set<String> names = stableNames(left);
      if (!names.equals(stableNames(right))) {
        return at(path, differ(left.fieldNames(), right.fieldNames()));
      }
      for (String name : names) {
        Optional<String> difference =
            json(path + "." + name, name, left.getValue(name), right.getValue(name), bindings);
        if (difference.isPresent()) {
          return difference;
        }
      }
      return Optional.empty();
    }
    if (shown instanceof JsonArray left && actual instanceof JsonArray right) {
      return array(path, member, left, right, bindings);
    }
    if (shown == null || actual == null || !shown.getClass().equals(actual.getClass())) {
      return shown == actual ? Optional.empty() : at(path, differ(shown, actual));
    }
    boolean identifier =
        IDENTIFIER.matcher(member).matches() && isDecimal(shown) && isDecimal(actual);
    if (identifier || HOST.contains(member)) {
      return bindings.bind(shown.toString(), actual.toString())
          ? Optional.empty()
          : at(path, differ(shown, actual));
    }
    return text(shown.toString(), actual.toString(), bindings).isPresent()
        ? at(path, differ(shown, actual))
        : Optional.empty();
  }

  private static boolean isDecimal(Object value) {
    return value instanceof String text && text.matches("-?\\d+");
  }

  /** Without members that may hold anything; protobuf leaves them out while they are 0. */
  private static Set<String> stableNames(JsonObject object) {
    return object.fieldNames().stream()
        .filter(name -> !UNSTABLE.matcher(name).matches())
        .collect(Collectors.toSet());
  }

  private static Optional<String> array(
      String path, String member, JsonArray shown, JsonArray actual, Bindings bindings) {
    if (shown.size() != actual.size()) {
      return at(path, differ(shown.encode(), actual.encode()));
    }
    List<Object> left = new ArrayList<>();
    List<Object> right = new ArrayList<>();
    for (int i = 0; i < shown.size(); i++) {
      left.add(shown.getValue(i));
      right.add(actual.getValue(i));
    }
    for (Object element : left) {
      Optional<String> first = Optional.empty();
      boolean found = false;
      for (Object candidate : right) {
        Bindings trial = bindings.copy();
        Optional<String> difference = json(path + "[]", member, element, candidate, trial);
        if (difference.isEmpty()) {
          bindings.takeFrom(trial);
          right.remove(candidate);
          found = true;
          break;
        }
        first = first.isPresent() ? first : difference;
        if (!(element instanceof JsonObject)) {
          return difference;
        }
      }
      if (!found) {
        return first;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> at(String path, Optional<String> difference) {
    return difference.map(text -> "at " + (path.isEmpty() ? "the top" : path) + ", " + text);
  }
}
