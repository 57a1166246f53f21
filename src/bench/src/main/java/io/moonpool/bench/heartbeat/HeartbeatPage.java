package io.moonpool.bench.heartbeat;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The figures of a run as one page: gaps and round trips of each client, and the table. */
public final class HeartbeatPage {
  private static final int WIDTH = 960;
  private static final int HEIGHT = 260;
  private static final int LEFT = 64;
  private static final int BOTTOM = 28;
  private static final int TOP = 16;
  private static final int TICKS = 5;
  private static final String[] COLOURS = {
    "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f"
  };

  private HeartbeatPage() {}

  /** The page, as HTML. */
  public static String of(HeartbeatFigures figures) {
    double seconds = figures.settings().seconds();
    double storm = figures.settings().stormMillis() / 1e3;
    String title =
        "Heartbeats: "
            + figures.settings().scenario().name().toLowerCase(Locale.ROOT)
            + ", "
            + figures.settings().scenario().title();
    String plots =
        """
        <h2>Gap between answers, ms</h2>
        <p>One line a client. Dashed: the goal. The storm begins at the vertical line.</p>
        %s
        <h2>Round trip, ms</h2>
        %s
        """
            .formatted(
                plot(
                    figures.clients(),
                    ClientGaps.Point::gapMillis,
                    seconds,
                    storm,
                    figures.gapGoalMillis()),
                plot(figures.clients(), ClientGaps.Point::tripMillis, seconds, storm, 0));
    return FigurePage.of(title, plots, figures.toText());
  }

  private static String plot(
      List<ClientGaps> clients,
      ToDoubleFunction<ClientGaps.Point> value,
      double seconds,
      double storm,
      double goal) {
    double largest =
        clients.stream()
            .flatMap(client -> client.line().stream())
            .mapToDouble(value)
            .max()
            .orElse(0);
    double top = Math.max(Math.max(largest, goal) * 1.1, 0.1);
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(Locale.ROOT, "<svg viewBox=\"0 0 %d %d\" width=\"100%%\">", WIDTH, HEIGHT));
    for (int tick = 0; tick <= TICKS; tick++) {
      double level = top * tick / TICKS;
      line(svg, LEFT, y(level, top), WIDTH, y(level, top), "#eee", "");
      svg.append(
          String.format(
              Locale.ROOT, "<text x=\"4\" y=\"%.1f\">%.1f</text>", y(level, top) + 4, level));
      double at = seconds * tick / TICKS;
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%.1f\" y=\"%d\">%.0f s</text>",
              Math.min(x(at, seconds), WIDTH - 30.0),
              HEIGHT - 8,
              at));
    }
    line(svg, x(storm, seconds), TOP, x(storm, seconds), HEIGHT - BOTTOM, "#aaa", "");
    if (goal > 0) {
      line(svg, LEFT, y(goal, top), WIDTH, y(goal, top), "#d62728", "6 4");
    }
    for (ClientGaps client : clients) {
      StringBuilder points = new StringBuilder();
      for (ClientGaps.Point point : client.line()) {
        points.append(
            String.format(
                Locale.ROOT,
                "%.1f,%.1f ",
                x(point.seconds(), seconds),
                y(value.applyAsDouble(point), top)));
      }
      svg.append(
          String.format(
              Locale.ROOT,
              "<polyline fill=\"none\" stroke=\"%s\" points=\"%s\"><title>client %d</title></polyline>",
              COLOURS[client.client() % COLOURS.length],
              points.toString().strip(),
              client.client()));
    }
    return svg.append("</svg>").toString();
  }

  private static double x(double seconds, double all) {
    return LEFT + (WIDTH - LEFT) * Math.min(1, seconds / all);
  }

  private static double y(double value, double top) {
    return TOP + (HEIGHT - BOTTOM - TOP) * (1 - value / top);
  }

  private static void line(
      StringBuilder svg, double x1, double y1, double x2, double y2, String colour, String dashes) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                + " stroke-dasharray=\"%s\"/>",
            x1,
            y1,
            x2,
            y2,
            colour,
            dashes));
  }
}
