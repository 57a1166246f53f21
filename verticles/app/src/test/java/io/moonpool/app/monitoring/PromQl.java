package io.moonpool.app.monitoring;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a PromQL expression names: its selectors, and the labels that it groups or matches by. Only
 * as much of the language as our expressions need; anything else is refused, so nothing is
 * overlooked.
 *
 * @param selectors in order
 * @param labels of {@code by}, {@code without}, {@code on}, {@code ignoring}, {@code group_left}
 *     and {@code group_right}
 */
record PromQl(List<Selector> selectors, Set<String> labels) {
  /**
   * A metric, or those of its series that have certain labels.
   *
   * @param matchers in order
   */
  record Selector(String metric, List<LabelMatcher> matchers) {}

  /**
   * A condition of a selector.
   *
   * @param operator {@code =}, {@code !=}, {@code =~} or {@code !~}
   * @param value as it is written
   */
  record LabelMatcher(String label, String operator, String value) {}

  private static final Set<String> FUNCTIONS =
      Set.of("rate", "increase", "absent", "clamp_min", "max_over_time");
  private static final Set<String> AGGREGATIONS = Set.of("sum", "max", "min", "count");
  private static final Set<String> LABEL_LISTS =
      Set.of("by", "without", "on", "ignoring", "group_left", "group_right");
  private static final Set<String> OPERATORS = Set.of("and", "or", "unless");
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s+|(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)|(?<range>\\[[^\\]]*])|(?<number>[0-9][0-9.]*)"
              + "|(?<matchers>\\{[^}]*})|(?<symbol>[-+*/()<>=!,]+?)");
  private static final Pattern LIST = Pattern.compile("\\s*\\(([a-z_,\\s]*)\\)");
  private static final Pattern MATCHER =
      Pattern.compile("\\s*([a-zA-Z_]+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"\\s*");

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException naming what is not understood
   */
  static PromQl parse(String expression) {
    List<Selector> selectors = new ArrayList<>();
    Set<String> labels = new TreeSet<>();
    Matcher token = TOKEN.matcher(expression);
    int at = 0;
    boolean metricBefore = false;
    while (at < expression.length()) {
      if (!token.find(at) || token.start() != at) {
        throw new IllegalArgumentException(
            "not understood: '" + expression.substring(at) + "' in " + expression);
      }
      at = token.end();
      String name = token.group("name");
      if (name != null && LABEL_LISTS.contains(name)) {
        Matcher list = LIST.matcher(expression).region(at, expression.length());
        if (!list.lookingAt()) {
          throw new IllegalArgumentException("no labels behind " + name + " in " + expression);
        }
        at = list.end();
        for (String label : list.group(1).split(",")) {
          labels.add(label.strip());
        }
      } else if (name != null && expression.startsWith("(", at)) {
        if (!FUNCTIONS.contains(name) && !AGGREGATIONS.contains(name)) {
          throw new IllegalArgumentException("unknown function " + name + " in " + expression);
        }
      } else if (name != null && !AGGREGATIONS.contains(name) && !OPERATORS.contains(name)) {
        selectors.add(new Selector(name, List.of()));
        metricBefore = true;
        continue;
      } else if (token.group("matchers") != null) {
        if (!metricBefore) {
          throw new IllegalArgumentException("labels without a metric in " + expression);
        }
        String body = token.group("matchers");
        String metric = selectors.removeLast().metric();
        selectors.add(new Selector(metric, matchers(body.substring(1, body.length() - 1))));
      }
      metricBefore = false;
    }
    return new PromQl(selectors, labels);
  }

  private static List<LabelMatcher> matchers(String body) {
    List<LabelMatcher> matchers = new ArrayList<>();
    Matcher matcher = MATCHER.matcher(body);
    int at = 0;
    while (at < body.length()) {
      if (!matcher.find(at) || matcher.start() != at) {
        throw new IllegalArgumentException("not understood: {" + body.substring(at) + "}");
      }
      matchers.add(new LabelMatcher(matcher.group(1), matcher.group(2), matcher.group(3)));
      at = matcher.end() + (body.startsWith(",", matcher.end()) ? 1 : 0);
    }
    return matchers;
  }
}
