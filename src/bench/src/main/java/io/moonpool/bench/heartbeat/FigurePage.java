package io.moonpool.bench.heartbeat;

/** Figures of a run as one page that needs nothing else: plots as inline SVG, then the table. */
public final class FigurePage {
  private FigurePage() {}

  /**
   * The page, as HTML.
   *
   * @param title of the page, as text
   * @param plots as HTML
   * @param figures a table, as text
   */
  public static String of(String title, String plots, String figures) {
    return """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>%1$s</title>
        <style>
        body { font: 15px/1.4 sans-serif; margin: 2em auto; max-width: 1200px; color: #222 }
        pre { background: #f6f6f6; padding: 1em; overflow-x: auto }
        svg { background: #fff; border: 1px solid #ddd } text { font: 12px sans-serif; fill: #444 }
        </style></head><body>
        <h1>%1$s</h1>
        %2$s
        <h2>Figures</h2>
        <pre>%3$s</pre>
        </body></html>
        """
        .formatted(escape(title), plots, escape(figures));
  }

  /** Text as HTML. */
  public static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
