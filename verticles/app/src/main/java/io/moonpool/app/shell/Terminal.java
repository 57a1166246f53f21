package io.moonpool.app.shell;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The terminal that the process runs in, if any. */
public final class Terminal {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");
  private static final Size USUAL = new Size(24, 100);
  private static final long LIMIT_MILLIS = 500;

  private Terminal() {}

  /**
   * How much a terminal shows.
   *
   * @param rows lines
   * @param columns characters in a line
   */
  public record Size(int rows, int columns) {}

  /** Whether a person watches: stdin and stdout are a terminal. */
  public static boolean isThere() {
    return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
  }

  /** Whether output may be coloured in this process. */
  public static boolean hasColours() {
    return hasColours(isThere(), System.getenv());
  }

  /**
   * Whether output may be coloured: on a terminal, unless its user wants none (<a
   * href="https://no-color.org">NO_COLOR</a>) or it has none.
   */
  static boolean hasColours(boolean there, Map<String, String> environment) {
    return there
        && environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }

  /**
   * How large the terminal is now; 24 lines of 100 characters when that cannot be found out. Blocks
   * for some milliseconds: a process has no other way to ask than another program.
   */
  public static Size size() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        if (stty.waitFor(LIMIT_MILLIS, TimeUnit.MILLISECONDS)) {
          return parse(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
        }
      } finally {
        stty.destroyForcibly();
      }
    } catch (IOException e) {
      return USUAL;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return USUAL;
  }

  /** What {@code stty size} says. A terminal of no size, as some supervisors make it, is usual. */
  static Size parse(String text) {
    Matcher numbers = SIZE.matcher(text);
    if (!numbers.matches()) {
      return USUAL;
    }
    int rows = Integer.parseInt(numbers.group(1));
    int columns = Integer.parseInt(numbers.group(2));
    return rows < 4 || columns < 20 ? USUAL : new Size(rows, columns);
  }
}
