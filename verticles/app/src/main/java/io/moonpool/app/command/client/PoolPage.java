package io.moonpool.app.command.client;

import io.moonpool.app.drain.DrainProgress;
import io.moonpool.app.shell.Tone;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A pool on one page for people: figures, nodes with their segments, drains. */
final class PoolPage {
  /**
   * A line of the page.
   *
   * @param text without a line end
   */
  record Line(Tone tone, String text) {}

  private final List<Line> lines = new ArrayList<>();

  private PoolPage() {}

  /**
   * The page.
   *
   * @param time of day, as it is to be shown
   * @param trouble why what is shown may be old; empty when it is not
   */
  static List<Line> of(PoolWatch pool, String time, String trouble) {
    PoolPage page = new PoolPage();
    page.head(pool, time, trouble);
    page.figures(pool);
    page.nodes(pool);
    page.drains(pool.drains());
    return page.lines;
  }

  private void add(Tone tone, String text) {
    lines.add(new Line(tone, text.stripTrailing()));
  }

  private void head(PoolWatch pool, String time, String trouble) {
    JsonObject cluster = pool.cluster();
    add(
        Tone.TITLE,
        String.format(
            Locale.ROOT,
            "cluster %s   version %s   %s",
            cluster.getString("cluster_id", ""),
            cluster.getString("version", ""),
            time));
    if (!trouble.isEmpty()) {
      add(Tone.BAD, trouble);
    }
    if (pool.figures().getBoolean("offline_held", false)) {
      add(Tone.BAD, "nodes are kept from going OFFLINE: see 'moonpool client offline-breaker'");
    }
  }

  private void figures(PoolWatch pool) {
    JsonObject now = pool.figures();
    add(
        Tone.PLAIN,
        String.format(
            Locale.ROOT,
            "objects  %,d   memory  %s   disk  %s",
            now.getLong("objects", 0L),
            share(pool, "memory"),
            share(pool, "local_disk")));
    add(
        Tone.PLAIN,
        String.format(
            Locale.ROOT,
            "gets  %s/s   hits  %s   p99  %s      puts  %s/s   refused  %s/s   p99  %s",
            rate(now, "gets_per_second"),
            now.containsKey("hit_ratio")
                ? String.format(Locale.ROOT, "%.1f %%", now.getDouble("hit_ratio") * 100)
                : "-",
            micros(now, "get_p99_us"),
            rate(now, "puts_per_second"),
            rate(now, "put_failures_per_second"),
            micros(now, "put_p99_us")));
    add(
        Tone.PLAIN,
        String.format(
            Locale.ROOT,
            "evictions  %s/s   pings  %s/s",
            rate(now, "evictions_per_second"),
            rate(now, "pings_per_second")));
  }

  private static String rate(JsonObject figures, String name) {
    return String.format(Locale.ROOT, "%,.1f", figures.getDouble(name, 0.0));
  }

  private static String micros(JsonObject figures, String name) {
    return figures.containsKey(name)
        ? String.format(Locale.ROOT, "%,.0f us", figures.getDouble(name))
        : "-";
  }

  /** How much of all segments of a kind is used. */
  private static String share(PoolWatch pool, String kind) {
    long used = 0;
    long size = 0;
    for (JsonObject segment : pool.segments()) {
      if (segment.getString("kind").equals(kind)) {
        used += segment.getLong("used");
        size += segment.getLong("size");
      }
    }
    return size == 0
        ? "none"
        : String.format(
            Locale.ROOT,
            "%,.1f of %,.1f MB (%.0f %%)",
            used / 1e6,
            size / 1e6,
            100.0 * used / size);
  }

  private void nodes(PoolWatch pool) {
    add(Tone.PLAIN, "");
    add(
        Tone.TITLE,
        String.format(
            Locale.ROOT,
            "%-28s %-12s %-12s %12s %12s %5s",
            "NODE, SEGMENTS",
            "",
            "STATE",
            "USED MB",
            "SIZE MB",
            "%"));
    List<JsonObject> nodes = new ArrayList<>(pool.clients());
    nodes.sort(Comparator.comparing(PoolPage::name));
    for (JsonObject node : nodes) {
      add(
          Tone.ofState(node.getString("state")),
          String.format(
              Locale.ROOT,
              "%-28s %-12s %-12s heard %.1f s ago",
              name(node),
              node.getString("host_id"),
              node.getString("state"),
              node.getLong("silent_ms") / 1e3));
      segments(pool, node.getString("node_id"));
    }
    if (nodes.isEmpty()) {
      add(Tone.WARNING, "no node is registered: start one with 'moonpool node'");
    }
  }

  private void segments(PoolWatch pool, String node) {
    pool.segments().stream()
        .filter(segment -> segment.getString("node_id").equals(node))
        .sorted(Comparator.comparing(segment -> segment.getString("name")))
        .forEach(
            segment ->
                add(
                    segment.getString("status").equals("ok")
                        ? Tone.PLAIN
                        : Tone.ofState(segment.getString("status")),
                    String.format(
                        Locale.ROOT,
                        "  %-26s %-12s %-12s %,12.1f %,12.1f %5.1f",
                        segment.getString("name"),
                        segment.getString("kind"),
                        segment.getString("status"),
                        segment.getLong("used") / 1e6,
                        segment.getLong("size") / 1e6,
                        segment.getLong("size") == 0
                            ? 0.0
                            : 100.0 * segment.getLong("used") / segment.getLong("size"))));
  }

  private static String name(JsonObject node) {
    String address = node.getString("address", "");
    return address.isEmpty() ? node.getString("node_id") : address;
  }

  private void drains(List<JsonObject> jobs) {
    if (jobs.isEmpty()) {
      return;
    }
    add(Tone.PLAIN, "");
    add(Tone.TITLE, "DRAINS");
    for (JsonObject job : jobs) {
      add(Tone.ofState(job.getString("status")), DrainProgress.line(DrainRows.what(job), job));
      if (job.getString("status").equals("failed")) {
        String left = DrainProgress.left(job);
        add(Tone.BAD, "    " + job.getString("message"));
        if (!left.isEmpty()) {
          add(Tone.BAD, "    " + left);
        }
      }
    }
  }
}
