package io.moonpool.master.admin;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.util.regex.Pattern;

/** How a request selects keys, as a pattern for {@link io.moonpool.master.MasterOperations}. */
public final class KeySelection {
  /** Longer patterns and prefixes are refused, in characters. */
  public static final int MAX_LENGTH = 4_096;

  private KeySelection() {}

  /** Keys that start with a text, taken literally. */
  public static String startingWith(String prefix) {
    return prefix.isEmpty() ? "" : "\\A" + Pattern.quote(limited("prefix", prefix));
  }

  /** Keys in which a regular expression is found. */
  public static String matching(String pattern) {
    return limited("pattern", pattern);
  }

  private static String limited(String what, String text) {
    if (text.length() > MAX_LENGTH) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          what + " is longer than " + MAX_LENGTH + " characters: use a shorter one");
    }
    return text;
  }
}
