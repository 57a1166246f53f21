package io.moonpool.master.metadata;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression that holds nothing but literals and {@code .*}, perhaps between {@code ^}
 * and {@code $}: searched for in time that grows with the key alone. The engine of the JDK tries
 * {@code a.*b} anew from each {@code a}, which is too much on a key of 64 KiB, however harmless the
 * expression is.
 *
 * <p>The runs between the {@code .*} must be found one behind the other, so each is looked for
 * behind the first place of the one before (Knuth, Morris and Pratt's search). Not for keys with
 * line terminators, which {@code .} does not match.
 */
final class LiteralRuns {
  private static final String SPECIAL = "\\^$.|?*+()[]{}";
  private static final String LINE_TERMINATORS = "\n\r\u0085\u2028\u2029";

  /** What is looked for, and how far to fall back when it breaks off after so many characters. */
  private record Run(String text, int[] fallback) {
    static Run of(String text) {
      int[] fallback = new int[text.length()];
      for (int i = 1, same = 0; i < text.length(); i++) {
        while (same > 0 && text.charAt(i) != text.charAt(same)) {
          same = fallback[same - 1];
        }
        same += text.charAt(i) == text.charAt(same) ? 1 : 0;
        fallback[i] = same;
      }
      return new Run(text, fallback);
    }

    /** Where it first ends in a key from that position on; negative when it is not there. */
    int endIn(String key, int from) {
      int same = 0;
      for (int i = from; same < text.length(); i++) {
        if (i >= key.length()) {
          return -1;
        }
        while (same > 0 && key.charAt(i) != text.charAt(same)) {
          same = fallback[same - 1];
        }
        same += key.charAt(i) == text.charAt(same) ? 1 : 0;
        if (same == text.length()) {
          return i + 1;
        }
      }
      return from; // nothing is everywhere
    }
  }

  private final List<Run> runs;
  private final boolean fromStart;
  private final boolean toEnd;

  private LiteralRuns(List<Run> runs, boolean fromStart, boolean toEnd) {
    this.runs = runs;
    this.fromStart = fromStart;
    this.toEnd = toEnd;
  }

  /** An expression of that kind; null when it is of another. */
  static @Nullable LiteralRuns of(String expression) {
    List<Run> runs = new ArrayList<>();
    StringBuilder run = new StringBuilder();
    boolean fromStart = expression.startsWith("^");
    boolean toEnd = false;
    int at = fromStart ? 1 : 0;
    while (at < expression.length()) {
      char c = expression.charAt(at++);
      char next = at < expression.length() ? expression.charAt(at) : 0;
      if (c == '.' && next == '*') {
        at++;
        if (at < expression.length() && expression.charAt(at) == '?') {
          at++; // finds the same
        }
        runs.add(Run.of(run.toString()));
        run.setLength(0);
      } else if (c == '\\' && next != 0 && !Character.isLetterOrDigit(next)) {
        at++;
        run.append(next);
      } else if (c == '$' && at == expression.length()) {
        toEnd = true;
      } else if (SPECIAL.indexOf(c) < 0) {
        run.append(c);
      } else {
        return null;
      }
    }
    runs.add(Run.of(run.toString()));
    return new LiteralRuns(List.copyOf(runs), fromStart, toEnd);
  }

  /** Whether the expression means for that key what this class takes it for. */
  static boolean applies(String key) {
    for (int i = 0; i < key.length(); i++) {
      if (LINE_TERMINATORS.indexOf(key.charAt(i)) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether it is found in a key. */
  boolean isFoundIn(String key) {
    int last = runs.size() - 1;
    int from = 0;
    for (int i = 0; i <= last; i++) {
      Run run = runs.get(i);
      boolean begins = i == 0 && fromStart;
      boolean ends = i == last && toEnd;
      if (ends) {
        int start = key.length() - run.text.length();
        return start >= from && (!begins || start == 0) && key.endsWith(run.text);
      }
      if (begins) {
        if (!key.startsWith(run.text)) {
          return false;
        }
        from = run.text.length();
      } else {
        from = run.endIn(key, from);
        if (from < 0) {
          return false;
        }
      }
    }
    return true;
  }
}
