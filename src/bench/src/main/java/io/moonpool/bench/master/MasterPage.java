package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.FigurePage;
import java.util.Locale;

/** The figures of a run as one page: bars of calls, and the table. */
public final class MasterPage {
  private static final int WIDTH = 960;
  private static final int LEFT = 180;
  private static final int BAR = 14;
  private static final int ROW = 40;

  private MasterPage() {}

  /** The page, as HTML. */
  public static String of(MasterFigures figures) {
    String title =
        String.format(
            Locale.ROOT,
            "Master, %,d keys, %d clients%s",
            figures.settings().keys(),
            figures.settings().clients(),
            figures.settings().protocol() == CallProtocol.MOONCAKE ? " of Mooncake" : "");
    String plots =
        """
        <h2>Keys per second</h2>
        <p>Blue: this run. Grey: the reference. Each pair has its own scale.</p>
        %s
        """
            .formatted(bars(figures));
    return FigurePage.of(title, plots, figures.toText());
  }

  private static String bars(MasterFigures figures) {
    StringBuilder bars = new StringBuilder();
    int y = 10;
    for (MasterRow row : figures.rows()) {
      double value = row.figure(MasterRow.OPS_PER_SECOND);
      if (Double.isNaN(value)) {
        continue;
      }
      double other = figures.reference().figure(row.name(), MasterRow.OPS_PER_SECOND);
      double largest = Double.isNaN(other) ? value : Math.max(value, other);
      bars.append(
          String.format(
              Locale.ROOT,
              "<text x=\"4\" y=\"%d\">%s</text>",
              y + BAR,
              FigurePage.escape(row.name())));
      bar(bars, y, value, largest, "#1f77b4");
      if (!Double.isNaN(other)) {
        bar(bars, y + BAR + 2, other, largest, "#999");
      }
      y += ROW;
    }
    return String.format(
            Locale.ROOT, "<svg viewBox=\"0 0 %d %d\" width=\"100%%\">", WIDTH, Math.max(ROW, y))
        + bars
        + "</svg>";
  }

  private static void bar(StringBuilder bars, int y, double value, double largest, String colour) {
    double width = largest <= 0 ? 0 : (WIDTH - LEFT - 100) * value / largest;
    bars.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
                + "<text x=\"%.1f\" y=\"%d\">%,.0f</text>",
            LEFT,
            y,
            width,
            BAR,
            colour,
            LEFT + width + 6,
            y + BAR - 2,
            value));
  }
}
