package io.moonpool.app.shell;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a server listens, as people write it: {@code host:port}. */
public record HostPort(String host, int port) {
  private static final Pattern FORM = Pattern.compile("(.+):(\\d{1,5})");

  /**
   * Reads it; whether there can be such a port is for others to say.
   *
   * @throws IllegalArgumentException when the text is none; the message fits behind its name
   */
  public static HostPort parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("must be HOST:PORT, not '" + text + "'");
    }
    return new HostPort(parts.group(1), Integer.parseInt(parts.group(2)));
  }
}
