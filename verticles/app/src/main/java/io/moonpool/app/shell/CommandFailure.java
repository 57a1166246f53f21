package io.moonpool.app.shell;

/** Ends a command with a message for people and an exit code; no stack trace is shown. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  /**
   * A failure to show.
   *
   * @param message what happened and what to do
   */
  public CommandFailure(ExitCode exitCode, String message) {
    super(message, null, false, false);
    this.exitCode = exitCode;
  }

  /** What the process ends with. */
  public ExitCode exitCode() {
    return exitCode;
  }
}
