package io.moonpool.app.command.bench;

import io.moonpool.app.command.bench.heartbeat.HeartbeatCommand;
import io.moonpool.app.command.bench.heartbeat.HeartbeatMasterCommand;
import picocli.CommandLine.Command;

/** {@code moonpool bench}: the load tests. */
@Command(
    name = "bench",
    description = {
      "Load tests on this machine. Each starts what it measures.",
      "Machines are noisy: read figures beside the reference that the same run measured."
    },
    subcommands = {
      LatencyCommand.class,
      TransferCommand.class,
      DiskCommand.class,
      DrainCommand.class,
      HistoryCommand.class,
      MasterCommand.class,
      AllocatorCommand.class,
      ReplayCommand.class,
      HeartbeatCommand.class,
      HeartbeatMasterCommand.class
    },
    synopsisSubcommandLabel = "COMMAND")
public final class BenchCommand {
  /** For the command line. */
  public BenchCommand() {}
}
