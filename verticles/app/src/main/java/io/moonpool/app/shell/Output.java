package io.moonpool.app.shell;

/** How a command prints its result. */
public enum Output {
  /** Columns for people. */
  TABLE,
  /** JSON for programs. */
  JSON
}
