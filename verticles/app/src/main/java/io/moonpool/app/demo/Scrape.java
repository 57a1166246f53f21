package io.moonpool.app.demo;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metrics of a process at a moment, in the text format of Prometheus.
 *
 * @param text as the process answered
 */
record Scrape(String text) {
  private static final int LIMIT_MILLIS = 30_000;

  /**
   * Asks a process. Blocks.
   *
   * @param url of its HTTP interface
   * @throws DemoFailure when it does not tell
   */
  static Scrape of(String url) {
    URI metrics = URI.create(url + "/metrics");
    try {
      URLConnection connection = metrics.toURL().openConnection();
      connection.setConnectTimeout(LIMIT_MILLIS);
      connection.setReadTimeout(LIMIT_MILLIS);
      try (InputStream body = connection.getInputStream()) {
        return new Scrape(new String(body.readAllBytes(), StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new DemoFailure("GET " + metrics + " failed: " + e);
    }
  }

  /**
   * A whole figure.
   *
   * @param name of a series without labels; a regular expression
   * @throws DemoFailure when there is no such series
   */
  long figure(String name) {
    Matcher sample = Pattern.compile("(?m)^" + name + " ([0-9.eE+]+)$").matcher(text);
    if (!sample.find()) {
      throw new DemoFailure("the metrics tell no " + name);
    }
    return (long) Double.parseDouble(sample.group(1));
  }
}
