package io.moonpool.app;

import io.moonpool.app.command.MoonpoolCommand;

/** Where the process starts: {@code java -jar moonpool-all.jar COMMAND}. */
public final class Main {
  private Main() {}

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(MoonpoolCommand.run(args));
  }
}
