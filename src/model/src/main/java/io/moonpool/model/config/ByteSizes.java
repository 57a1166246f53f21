package io.moonpool.model.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes in bytes as people write them: {@code 4096}, {@code 64KiB}, {@code 1.5 GiB}, {@code 2GB}.
 */
public final class ByteSizes {
  private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([kmgt]?)(i?)b?");

  private ByteSizes() {}

  /**
   * The number of bytes that a text means. {@code KiB, MiB, GiB, TiB} are powers of 1,024, {@code
   * kB, MB, GB, TB} of 1,000; case does not matter, and the {@code B} may be left out.
   *
   * @throws IllegalArgumentException when it is no size; the message says what one looks like
   */
  public static long parse(String text) {
    Matcher matcher = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches() || (matcher.group(2).isEmpty() && !matcher.group(3).isEmpty())) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a size: write bytes, or a number with KiB, MiB, GiB or TiB");
    }
    double bytes = Double.parseDouble(matcher.group(1));
    int power = " kmgt".indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2));
    double unit = matcher.group(3).isEmpty() ? 1_000 : 1_024;
    double total = bytes * Math.pow(unit, power);
    if (total != Math.rint(total) || total > Long.MAX_VALUE) {
      throw new IllegalArgumentException("'" + text + "' is not a whole number of bytes");
    }
    return (long) total;
  }

  /** A size as people read it, exact: the largest unit that divides it. */
  public static String format(long bytes) {
    String[] units = {"", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    long count = bytes;
    while (count != 0 && count % 1_024 == 0 && unit < units.length - 1) {
      count /= 1_024;
      unit++;
    }
    return count + units[unit];
  }
}
