package io.moonpool.master.admin;

import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.http.PercentEncoding;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route of a request. Paths are compared before they are decoded or normalised, segment
 * by segment: an object's key is one segment whatever it contains, so the slash inside a key
 * ({@code %2F}) does not separate, and a key of dots ({@code %2E%2E}) does not climb. A segment
 * written out in a path wins over a parameter. Immutable.
 */
final class RouteTable {
  private final List<Entry> entries = new ArrayList<>();

  RouteTable(List<Route> routes) {
    for (Route route : routes) {
      entries.add(new Entry(route, segments(route.path())));
    }
  }

  /** What a request's method and raw path lead to. */
  sealed interface Found {}

  /** A route and the decoded parameters of its path. */
  record Match(Route route, Map<String, String> parameters) implements Found {}

  /** The path exists, but not for that method. */
  record WrongMethod(String allowed) implements Found {}

  /** No such path. */
  record Nothing() implements Found {}

  /**
   * Finds the route.
   *
   * @throws io.moonpool.model.StoreException when the path matches but its parameters are not
   *     percent-encoded UTF-8
   */
  Found find(HttpMethod method, String rawPath) {
    HttpMethod wanted = method.equals(HttpMethod.HEAD) ? HttpMethod.GET : method;
    String[] path = segments(rawPath);
    Entry best = null;
    TreeSet<String> allowed = new TreeSet<>();
    for (Entry entry : entries) {
      if (!entry.matches(path)) {
        continue;
      }
      allowed.add(entry.route.method().name());
      if (entry.route.method().equals(wanted) && entry.beats(best)) {
        best = entry;
      }
    }
    if (best != null) {
      return new Match(best.route, best.parameters(path));
    }
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    return allowed.isEmpty() ? new Nothing() : new WrongMethod(String.join(", ", allowed));
  }

  private static String[] segments(String path) {
    return path.split("/", -1);
  }

  private record Entry(Route route, String[] template) {
    boolean matches(String[] path) {
      if (path.length != template.length) {
        return false;
      }
      for (int i = 0; i < path.length; i++) {
        if (!isParameter(i) && !template[i].equals(path[i])) {
          return false;
        }
      }
      return true;
    }

    boolean beats(@Nullable Entry other) {
      return other == null || parameterCount() < other.parameterCount();
    }

    Map<String, String> parameters(String[] path) {
      Map<String, String> parameters = new HashMap<>();
      for (int i = 0; i < path.length; i++) {
        if (isParameter(i)) {
          parameters.put(
              template[i].substring(1, template[i].length() - 1),
              PercentEncoding.decode(path[i], ErrorCode.INVALID_PARAMS));
        }
      }
      return parameters;
    }

    private int parameterCount() {
      int count = 0;
      for (int i = 0; i < template.length; i++) {
        count += isParameter(i) ? 1 : 0;
      }
      return count;
    }

    private boolean isParameter(int i) {
      return template[i].startsWith("{");
    }
  }
}
