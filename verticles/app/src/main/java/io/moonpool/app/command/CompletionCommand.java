package io.moonpool.app.command;

import io.moonpool.app.shell.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code moonpool completion}. */
@Command(
    name = "completion",
    description = {
      "Print a script with which a shell completes commands, options and their values.",
      "For this shell: source <(moonpool completion bash)",
      "For all to come: moonpool completion bash >"
          + " ~/.local/share/bash-completion/completions/moonpool"
    })
final class CompletionCommand implements Callable<Integer> {
  /** The shells that there are scripts for. */
  enum Shell {
    /** GNU bash, 4 or later. */
    BASH
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "SHELL", description = "Which shell: bash.")
  private Shell shell = Shell.BASH;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(
        switch (shell) {
          case BASH -> AutoComplete.bash("moonpool", spec.root().commandLine());
        });
    out.flush();
    return ExitCode.OK.number();
  }
}
