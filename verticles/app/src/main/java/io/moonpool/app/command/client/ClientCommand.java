package io.moonpool.app.command.client;

import io.moonpool.app.blocking.BlockingObjects;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.Output;
import io.moonpool.client.ClientOptions;
import io.moonpool.client.parts.PartOptions;
import io.moonpool.model.config.ByteSizes;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code moonpool client}: what all its subcommands share. */
@Command(
    name = "client",
    description = {
      "Put, get, list and remove objects of a running cluster, and drain its nodes.",
      "Objects above the part size are stored in parts, spread over the nodes."
    },
    subcommands = {
      PutCommand.class,
      GetCommand.class,
      ListCommand.class,
      StatCommand.class,
      ExistsCommand.class,
      RemoveCommand.class,
      SegmentsCommand.class,
      TopCommand.class,
      DrainCommand.class,
      DrainsCommand.class,
      DrainStatusCommand.class,
      CancelDrainCommand.class,
      UndrainCommand.class,
      MoveCommand.class,
      CopyCommand.class,
      TasksCommand.class,
      OfflineBreakerCommand.class,
      ConfirmOfflineCommand.class,
      DiskCommand.class
    },
    synopsisSubcommandLabel = "COMMAND")
public final class ClientCommand {
  private static final String DEFAULT_MASTER = "127.0.0.1:50051";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--master",
      scope = ScopeType.INHERIT,
      paramLabel = "HOST:PORT",
      defaultValue = "${env:MOONPOOL_MASTER:-" + DEFAULT_MASTER + "}",
      description =
          "The master's main port. Environment: MOONPOOL_MASTER. Default: " + DEFAULT_MASTER + ".")
  private String master = DEFAULT_MASTER;

  @Option(
      names = "--tenant",
      scope = ScopeType.INHERIT,
      defaultValue = "",
      description = "Whose objects. Default: the default tenant.")
  private String tenant = "";

  @Option(
      names = "--master-tls-ca",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      defaultValue = "",
      description = "PEM file with the certificates to trust the master by. Default: no TLS.")
  private String tlsCa = "";

  @Option(
      names = {"--transports", "--transport"},
      scope = ScopeType.INHERIT,
      split = ",",
      defaultValue = "shm,ucx,tcp",
      description =
          "How to reach the nodes' memory, best first; what this machine cannot do is left out."
              + " Default: shm,ucx,tcp.")
  private List<String> transports = List.of("shm", "ucx", "tcp");

  @Option(
      names = "--timeout-ms",
      scope = ScopeType.INHERIT,
      paramLabel = "N",
      defaultValue = "10000",
      description = "How long the master may take to answer. Default: 10000.")
  private long timeoutMillis;

  @Option(
      names = "--part-size",
      scope = ScopeType.INHERIT,
      paramLabel = "SIZE",
      defaultValue = "64MiB",
      description = "Larger objects are stored in parts of this size. Default: 64MiB.")
  private String partSize = "64MiB";

  @Option(
      names = "--output",
      scope = ScopeType.INHERIT,
      defaultValue = "table",
      paramLabel = "table|json",
      description = "How to print: table (for people) or json (one object a line). Default: table.")
  private Output output = Output.TABLE;

  /** For the command line. */
  public ClientCommand() {}

  /** Something to do with a connected client. */
  interface Work {
    /** Does it; answers the exit code. */
    ExitCode with(BlockingObjects pool) throws IOException;
  }

  /** Connects, does the work, and closes the client. Blocks. */
  int connected(Work work) throws IOException {
    ClientOptions options = options();
    PartOptions parts = parts();
    Vertx vertx = Vertx.vertx();
    try (BlockingObjects pool = BlockingObjects.connect(vertx, options, parts)) {
      return work.with(pool).number();
    } finally {
      vertx.close();
    }
  }

  /** Whether to print JSON. */
  boolean json() {
    return output == Output.JSON;
  }

  /** The host of the master. */
  String masterHost() {
    return master.substring(0, colon());
  }

  /** PEM file with the certificates to trust the master by; empty: no TLS. */
  String masterTlsCa() {
    return tlsCa;
  }

  /** Whose objects; empty for the default tenant. */
  String tenant() {
    return tenant;
  }

  private int colon() {
    int colon = master.lastIndexOf(':');
    if (colon < 1) {
      throw wrong("--master must be HOST:PORT, not '" + master + "'");
    }
    return colon;
  }

  private ClientOptions options() {
    int colon = colon();
    try {
      return ClientOptions.of(
              master.substring(0, colon), Integer.parseInt(master.substring(colon + 1)))
          .but()
          .name("moonpool-cli")
          .tenant(tenant)
          .tlsCa(tlsCa)
          .transports(transports)
          .requestTimeoutMillis(timeoutMillis)
          .build();
    } catch (NumberFormatException e) {
      throw wrong("--master must be HOST:PORT, not '" + master + "'");
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private PartOptions parts() {
    try {
      return new PartOptions(ByteSizes.parse(partSize), PartOptions.DEFAULT.partsAtOnce());
    } catch (IllegalArgumentException e) {
      throw wrong("--part-size: " + e.getMessage());
    }
  }

  /** A failure about what the user wrote. */
  ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** A failure of the work itself. */
  static CommandFailure failed(String message) {
    return new CommandFailure(ExitCode.FAILED, message);
  }
}
