package io.moonpool.app.command.client;

import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.drain.MasterRest;
import io.moonpool.app.shell.ExitCode;
import picocli.CommandLine.Option;

/** Where the master's HTTP interface is, for commands that speak REST with it. */
final class AdminOptions {
  private static final String TOKEN = "MOONPOOL_MASTER_ADMIN_TOKEN";
  private static final int USUAL_PORT = 9003;

  @Option(
      names = "--admin",
      paramLabel = "HOST:PORT",
      defaultValue = "${env:MOONPOOL_ADMIN:-}",
      description = {
        "The master's HTTP port. Environment: MOONPOOL_ADMIN. Default: port 9003 of --master's host.",
        "Where the master wants its admin_token, the environment variable MOONPOOL_MASTER_ADMIN_TOKEN"
            + " holds it."
      })
  private String admin = "";

  /** Something to ask a master over REST. */
  interface RestWork {
    /** Does it; answers the exit code. Blocks. */
    ExitCode with(MasterRest rest) throws InterruptedException;
  }

  /** Something to do with a master's drains. */
  interface Work {
    /** Does it; answers the exit code. Blocks. */
    ExitCode with(DrainJobs jobs) throws InterruptedException;
  }

  /** Does the work. */
  int ask(ClientCommand client, Work work) throws InterruptedException {
    return askRest(client, rest -> work.with(new DrainJobs(rest)));
  }

  /** Does the work. */
  int askRest(ClientCommand client, RestWork work) throws InterruptedException {
    String address = admin.isEmpty() ? client.masterHost() + ":" + USUAL_PORT : admin;
    MasterRest rest;
    try {
      rest =
          MasterRest.open(address, client.masterTlsCa(), System.getenv().getOrDefault(TOKEN, ""));
    } catch (IllegalArgumentException e) {
      throw client.wrong("--admin " + e.getMessage());
    }
    try (rest) {
      return work.with(rest).number();
    }
  }
}
