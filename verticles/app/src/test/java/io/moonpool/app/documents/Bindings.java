package io.moonpool.app.documents;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands for what: words of a document (ids, ports, folders) and the words of this run. A word
 * of the document stands for one word of the run throughout, so an id that a page shows twice has
 * to come back twice.
 */
final class Bindings {
  private final Map<String, String> byShown;

  Bindings(Map<String, String> initial) {
    byShown = new HashMap<>(initial);
  }

  Bindings copy() {
    return new Bindings(byShown);
  }

  void takeFrom(Bindings other) {
    byShown.putAll(other.byShown);
  }

  /** Lets a word of the document stand for one of the run; false when it stands for another. */
  boolean bind(String shown, String actual) {
    return byShown.computeIfAbsent(shown, none -> actual).equals(actual);
  }

  /** A text of the document in the words of the run. */
  String toActual(String text) {
    return replace(text, byShown);
  }

  /** A text of the run in the words of a document that has only the given ones. */
  static String toShown(String text, Map<String, String> initial) {
    Map<String, String> byActual = new HashMap<>();
    initial.forEach((shown, actual) -> byActual.put(actual, shown));
    return replace(text, byActual);
  }

  private static String replace(String text, Map<String, String> words) {
    if (words.isEmpty()) {
      return text;
    }
    // The longest first: a folder before the folder that it is in.
    List<String> alternatives =
        words.keySet().stream()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .map(Pattern::quote)
            .toList();
    Matcher matcher =
        Pattern.compile("(?<![\\w.-])(" + String.join("|", alternatives) + ")(?![\\w])")
            .matcher(text);
    return matcher.replaceAll(
        found -> Matcher.quoteReplacement(words.getOrDefault(found.group(1), found.group(1))));
  }
}
