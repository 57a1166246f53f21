package io.moonpool.master.request;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.util.regex.Pattern;

/**
 * How a request selects keys: at most one of a regular expression and a prefix. Its result is a
 * pattern for {@link io.moonpool.master.MasterOperations}.
 */
public final class KeySelection {
  private KeySelection() {}

  /**
   * The keys to list: all when neither is given.
   *
   * @param pattern searched for in the key; empty for none
   * @param prefix what the key starts with, taken literally; empty for none
   * @throws StoreException with {@link ErrorCode#INVALID_PARAMS} when both are given, or one is too
   *     long
   */
  public static String toList(String pattern, String prefix) {
    if (!pattern.isEmpty() && !prefix.isEmpty()) {
      throw invalid("pattern and prefix exclude each other: give one of them");
    }
    return prefix.isEmpty()
        ? limited("pattern", pattern)
        : "\\A" + Pattern.quote(limited("prefix", prefix));
  }

  /**
   * The keys to remove: as {@link #toList}, but everything only for who says so, so that a field
   * left out never removes it.
   *
   * @param all true for every object of the tenant
   */
  public static String toRemove(String pattern, String prefix, boolean all) {
    if (all == (!pattern.isEmpty() || !prefix.isEmpty())) {
      throw invalid(
          "say what to remove: pattern or prefix, or all=true for every object of the tenant");
    }
    return toList(pattern, prefix);
  }

  private static String limited(String what, String text) {
    if (text.length() > Limits.MAX_SELECTION_CHARACTERS) {
      throw invalid(
          what + " is longer than " + Limits.MAX_SELECTION_CHARACTERS + " characters: shorten it");
    }
    return text;
  }

  private static StoreException invalid(String message) {
    return new StoreException(ErrorCode.INVALID_PARAMS, message);
  }
}
