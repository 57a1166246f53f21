package io.moonpool.app.shell;

import java.io.Console;
import java.util.Optional;

/** The terminal that the process runs in, if any. */
public final class Terminal {
  private Terminal() {}

  /** Whether a person watches: stdin and stdout are a terminal. */
  public static boolean isThere() {
    return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
  }
}
