package io.moonpool.app.command.client;

import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.shell.ExitCode;
import picocli.CommandLine.Command;

/** {@code moonpool client drains}. */
@Command(
    name = "drains",
    description = "List the drains that the master remembers, the newest first.")
final class DrainsCommand extends AdminCommand {
  @Override
  ExitCode run(DrainJobs jobs) {
    DrainRows.jobs(out(), client().json(), DrainRows.list(jobs.jobs()));
    return ExitCode.OK;
  }
}
