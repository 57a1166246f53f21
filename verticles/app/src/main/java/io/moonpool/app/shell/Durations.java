package io.moonpool.app.shell;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them: {@code 500ms}, {@code 90s}, {@code 10m}, {@code 2h}. */
public final class Durations {
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|min|h)");

  private Durations() {}

  /**
   * The milliseconds that a text means.
   *
   * @throws IllegalArgumentException when it is no time; the message says what one looks like
   */
  public static long parseMillis(String text) {
    Matcher matcher = TIME.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a time: write a number with ms, s, m or h");
    }
    long unitMillis =
        switch (matcher.group(2)) {
          case "ms" -> 1;
          case "s" -> 1_000;
          case "h" -> 3_600_000;
          default -> 60_000;
        };
    return Long.parseLong(matcher.group(1)) * unitMillis;
  }
}
