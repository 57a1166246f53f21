package io.moonpool.app.monitoring;

import io.moonpool.app.monitoring.PromQl.LabelMatcher;
import io.moonpool.app.monitoring.PromQl.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All series that processes serve.
 *
 * @param series as they are written, without their values
 */
record Exposition(List<Series> series) {
  /** One series. */
  record Series(String metric, Map<String, String> labels) {}

  /** Prometheus gives them to every series that it scrapes. */
  static final Set<String> OF_THE_SCRAPE = Set.of("job", "instance");

  private static final Pattern SAMPLE =
      Pattern.compile("(?m)^([a-z][a-zA-Z0-9_]*)(?:\\{(.*)})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");
  private static final Pattern LABEL_IN_TEXT =
      Pattern.compile("\\{\\{\\s*(?:\\$labels\\.)?([a-z_]+)\\s*}}");

  /** Reads what processes answered. */
  static Exposition of(String... scrapes) {
    List<Series> series = new ArrayList<>();
    for (String scrape : scrapes) {
      Matcher sample = SAMPLE.matcher(scrape);
      while (sample.find()) {
        Map<String, String> labels = new HashMap<>();
        Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
        while (label.find()) {
          labels.put(label.group(1), label.group(2));
        }
        series.add(new Series(sample.group(1), labels));
      }
    }
    return new Exposition(series);
  }

  /** The names of all metrics that begin with one of some texts. */
  Set<String> metrics(List<String> prefixes) {
    return series.stream()
        .map(Series::metric)
        .filter(metric -> prefixes.stream().anyMatch(metric::startsWith))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Stream<Series> of(String metric) {
    return series.stream().filter(each -> each.metric().equals(metric));
  }

  private Set<String> labelsOf(List<Selector> selectors) {
    return selectors.stream()
        .flatMap(selector -> of(selector.metric()))
        .flatMap(each -> each.labels().keySet().stream())
        .collect(Collectors.toSet());
  }

  /**
   * What is wrong with an expression.
   *
   * @param text that shows labels of its result: a legend, a summary
   * @return sentences; empty when every metric, label and value is served
   */
  List<String> faults(String expression, String text) {
    PromQl query = PromQl.parse(expression);
    List<String> faults = new ArrayList<>();
    for (Selector selector : query.selectors()) {
      if (of(selector.metric()).findAny().isEmpty()) {
        faults.add(selector.metric() + " is not served");
        continue;
      }
      Set<String> labels = labelsOf(List.of(selector));
      for (LabelMatcher matcher : selector.matchers()) {
        if (OF_THE_SCRAPE.contains(matcher.label())) {
          continue;
        }
        if (!labels.contains(matcher.label())) {
          faults.add(selector.metric() + " has no label " + matcher.label());
        } else {
          for (String value : matcher.value().split("\\|")) {
            if (of(selector.metric())
                .noneMatch(each -> value.equals(each.labels().get(matcher.label())))) {
              faults.add(selector.metric() + " never has " + matcher.label() + "=" + value);
            }
          }
        }
      }
    }
    Set<String> known = labelsOf(query.selectors());
    Set<String> used = new TreeSet<>(query.labels());
    Matcher shown = LABEL_IN_TEXT.matcher(text);
    while (shown.find()) {
      used.add(shown.group(1));
    }
    used.removeAll(OF_THE_SCRAPE);
    used.removeAll(known);
    used.forEach(label -> faults.add("no metric of this has a label " + label + ": " + expression));
    return faults;
  }
}
