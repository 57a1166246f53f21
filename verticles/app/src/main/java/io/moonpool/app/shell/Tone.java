package io.moonpool.app.shell;

import java.util.Locale;

/**
 * What a piece of output means, for terminals that have colours. Nothing is told by these alone.
 */
public enum Tone {
  /** Nothing special. */
  PLAIN(""),
  /** The title of a table. */
  TITLE("\033[1m"),
  /** As it should be. */
  GOOD("\033[32m"),
  /** To be looked at. */
  WARNING("\033[33m"),
  /** Does not work. */
  BAD("\033[31m");

  private static final String END = "\033[0m";

  private final String begin;

  Tone(String begin) {
    this.begin = begin;
  }

  /**
   * The text in that tone. To be filled up to a width before, since colours take characters.
   *
   * @param coloured whether the output may have colours; see {@link Terminal#hasColours()}
   */
  public String of(String text, boolean coloured) {
    return coloured && !begin.isEmpty() ? begin + text + END : text;
  }

  /** The tone of a state of a node, a segment or a drain job, as interfaces name it. */
  public static Tone ofState(String state) {
    return switch (state.toLowerCase(Locale.ROOT)) {
      case "active", "ok", "succeeded", "success" -> GOOD;
      case "offline", "failed", "undefined" -> BAD;
      case "drained" -> PLAIN;
      default -> WARNING;
    };
  }
}
