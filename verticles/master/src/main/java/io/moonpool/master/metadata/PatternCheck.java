package io.moonpool.master.metadata;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;

/**
 * Refuses regular expressions that could hold a loop without reading a character.
 *
 * <p>{@link KeyPattern} bounds how many characters of a key are read. Parts that match nothing read
 * none: {@code (|)(|)(|)(?!)} tries eight ways at each place of a key, with forty of these groups
 * 2<sup>40</sup>, and <code>(?:^){2000000000}</code> counts to two billion. So there must not be
 * many ways in which parts can be empty. What is repeated or chosen from in the expressions that
 * people write consumes something, which makes one way.
 *
 * <p>It reads an expression that {@link java.util.regex.Pattern} has accepted, and errs on the safe
 * side. Where it would have to know more of the syntax than is worth it, the expression is refused
 * as well: comments, look-behind, and classes within classes.
 */
final class PatternCheck {
  private final String text;
  private final long maxWays;
  private int at;

  /** In how many ways parts can be empty, all together. */
  private long ways = 1;

  private PatternCheck(String text, long maxWays) {
    this.text = text;
    this.maxWays = maxWays;
  }

  /**
   * Checks an expression.
   *
   * @param expression compiles
   * @param maxWork the most parts of it, about one for each of its characters, that may be looked
   *     at between two characters of a key
   * @throws StoreException INVALID_PARAMS when there may be more, or nobody knows
   */
  static void check(String expression, int maxWork) {
    try {
      new PatternCheck(withoutQuotes(expression), maxWork / expression.length()).alternatives();
    } catch (StringIndexOutOfBoundsException e) {
      throw notUnderstood();
    }
  }

  /** Replaces what is quoted by {@code \Q} and {@code \E} with characters that mean themselves. */
  private static String withoutQuotes(String expression) {
    StringBuilder plain = new StringBuilder(expression.length());
    int from = 0;
    while (from < expression.length()) {
      if (expression.startsWith("\\Q", from)) {
        int end = expression.indexOf("\\E", from + 2);
        String quoted = expression.substring(from + 2, end < 0 ? expression.length() : end);
        for (int i = 0; i < quoted.length(); i++) {
          // Letters and digits stay what they are, wherever they stand.
          plain.append(Character.isLetterOrDigit(quoted.charAt(i)) ? quoted.charAt(i) : 'q');
        }
        from = end < 0 ? expression.length() : end + 2;
      } else {
        int length = expression.charAt(from) == '\\' ? 2 : 1;
        int end = Math.min(expression.length(), from + length);
        plain.append(expression, from, end);
        from = end;
      }
    }
    return plain.toString();
  }

  /** Alternatives, to the end of their group; answers whether they can be empty. */
  private boolean alternatives() {
    int empty = 0;
    do {
      empty += sequence() ? 1 : 0;
    } while (accept('|'));
    multiply(Math.max(1, empty));
    return empty > 0;
  }

  private boolean sequence() {
    boolean empty = true;
    while (at < text.length() && text.charAt(at) != '|' && text.charAt(at) != ')') {
      empty &= repeated(part());
    }
    return empty;
  }

  /** A part without what says how often; answers whether it can be empty. */
  private boolean part() {
    char first = text.charAt(at);
    if (first == '{') {
      return true; // nothing, repeated
    }
    at++;
    return switch (first) {
      case '(' -> group();
      case '[' -> characterClass();
      case '\\' -> escape();
      case '^', '$' -> true;
      default -> false;
    };
  }

  /** How often a part comes; answers whether that can be empty. */
  private boolean repeated(boolean empty) {
    char sign = at < text.length() ? text.charAt(at) : 0;
    if (sign != '?' && sign != '*' && sign != '+' && sign != '{') {
      return empty;
    }
    at++;
    long least = sign == '+' ? 1 : 0;
    if (sign == '{') {
      least = number();
      skipBehind('}');
    }
    if (empty) {
      multiply(least > 1 ? maxWays + 1 : 2);
    }
    if (!accept('?')) {
      accept('+');
    }
    return empty || least == 0;
  }

  private long number() {
    long number = 0;
    while (at < text.length() && Character.isDigit(text.charAt(at))) {
      number = 10 * number + Character.digit(text.charAt(at++), 10);
    }
    return number;
  }

  /** What follows an opening bracket. */
  private boolean group() {
    if (accept('?')) {
      char kind = text.charAt(at++);
      switch (kind) {
        case ':', '>', '=', '!' -> {}
        case '<' -> name();
        default -> {
          at--;
          if (flags()) {
            return true;
          }
        }
      }
      boolean empty = alternatives();
      at++;
      return empty || kind == '=' || kind == '!';
    }
    boolean empty = alternatives();
    at++;
    return empty;
  }

  private void name() {
    if (text.charAt(at) == '=' || text.charAt(at) == '!') {
      throw refused("look-behind is not supported");
    }
    skipBehind('>');
  }

  /** Flags; answers whether they are all of their group. */
  private boolean flags() {
    while (true) {
      switch (text.charAt(at++)) {
        case ')' -> {
          return true;
        }
        case ':' -> {
          return false;
        }
        case 'x', 'c' -> throw refused("the flags x and c are not supported");
        default -> {}
      }
    }
  }

  private boolean characterClass() {
    accept('^');
    if (text.charAt(at) == ']') {
      throw refused("write \\] for a bracket in a class of characters");
    }
    while (!accept(']')) {
      char each = text.charAt(at++);
      if (each == '\\') {
        at += text.charAt(at) == 'c' ? 2 : 1;
      } else if (each == '[' || text.startsWith("&&", at - 1)) {
        throw refused("classes of characters must not contain or intersect others");
      }
    }
    return false;
  }

  /** What follows a backslash. */
  private boolean escape() {
    char kind = text.charAt(at++);
    switch (kind) {
      case 'c' -> at++;
      case 'k' -> skipBehind('>');
      case 'x', 'p', 'P', 'N' -> {
        if (accept('{')) {
          skipBehind('}');
        }
      }
      case 'b' -> at += text.startsWith("{g}", at) ? 3 : 0;
      case '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> {}
    }
    return "bBAGZzk".indexOf(kind) >= 0 || (kind >= '1' && kind <= '9');
  }

  private void multiply(long factor) {
    ways *= factor;
    if (ways > maxWays) {
      throw refused(
          "too many parts of it can be empty: repeat, and choose between, what matches at least a"
              + " character");
    }
  }

  private boolean accept(char expected) {
    boolean there = at < text.length() && text.charAt(at) == expected;
    at += there ? 1 : 0;
    return there;
  }

  private void skipBehind(char last) {
    int found = text.indexOf(last, at);
    if (found < 0) {
      throw notUnderstood();
    }
    at = found + 1;
  }

  private static StoreException notUnderstood() {
    return refused("write it in a simpler way");
  }

  private static StoreException refused(String why) {
    return new StoreException(ErrorCode.INVALID_PARAMS, "the pattern cannot be used: " + why);
  }
}
