package io.moonpool.app.shell;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What values of options have to fulfil. Any thread may call. */
public final class Arguments {
  private Arguments() {}

  /**
   * Checks a rule.
   *
   * @param spec the command whose options these are
   * @param rule says which option must be what, for whoever typed it
   * @throws ParameterException when it does not hold: the command ends with a hint to its help
   */
  public static void require(CommandSpec spec, boolean holds, String rule) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }
}
