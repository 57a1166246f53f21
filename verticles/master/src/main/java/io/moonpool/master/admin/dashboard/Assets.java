package io.moonpool.master.admin.dashboard;

import io.moonpool.master.admin.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The files of the page, by their names. All are known here: nothing is looked up by request. */
public final class Assets {
  /** The page itself. */
  private static final String PAGE = "index.html";

  private static final List<String> OWN =
      List.of(
          PAGE,
          "style.css",
          "icon.svg",
          "app.js",
          "api.js",
          "dom.js",
          "format.js",
          "charts.js",
          "clients.js",
          "segments.js",
          "drains.js",
          "dialogs.js",
          "events.js");

  /** The charts: where they are in their jar, and the name that they are served by. */
  private static final String CHARTS = "/META-INF/resources/webjars/uplot/1.6.30/";

  private static final Map<String, String> OF_THE_CHARTS =
      Map.of(
          "uplot.js", "dist/uPlot.esm.js",
          "uplot.css", "dist/uPlot.min.css",
          "uplot-licence.txt", "LICENSE");

  private Assets() {}

  /** Reads them all; blocks, so not for an event loop. */
  public static Map<String, Asset> load() {
    Map<String, Asset> assets = new HashMap<>();
    OWN.forEach(name -> assets.put(name, read(name, name)));
    OF_THE_CHARTS.forEach((name, path) -> assets.put(name, read(name, CHARTS + path)));
    return Map.copyOf(assets);
  }

  /** The page among them. It asks for the token itself, and shows nothing without. */
  public static Answer page(Map<String, Asset> assets) {
    return Objects.requireNonNull(assets.get(PAGE)).answer();
  }

  private static Asset read(String name, String resource) {
    try (InputStream in = Assets.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing in this program");
      }
      return Asset.of(name, in.readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException(resource + " cannot be read", e);
    }
  }
}
