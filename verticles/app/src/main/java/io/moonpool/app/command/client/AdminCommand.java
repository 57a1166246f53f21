package io.moonpool.app.command.client;

import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.shell.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** A command that asks the master about drains, copies and moves, over REST. */
abstract class AdminCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();
  @Mixin private AdminOptions admin = new AdminOptions();

  @Override
  public final Integer call() throws InterruptedException {
    check();
    return admin.ask(client, this::run);
  }

  /** Checks the command line, before the master is spoken to. */
  void check() {}

  /** Does the work; answers the exit code. Blocks. */
  abstract ExitCode run(DrainJobs jobs) throws InterruptedException;

  final CommandSpec spec() {
    return spec;
  }

  final ClientCommand client() {
    return client;
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
