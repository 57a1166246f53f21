package io.moonpool.app.command.client;

import io.moonpool.app.drain.MasterRest;
import io.moonpool.app.shell.ExitCode;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** A command about what keeps nodes from going OFFLINE. */
abstract class BreakerCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();
  @Mixin private AdminOptions admin = new AdminOptions();

  @Override
  public final Integer call() throws InterruptedException {
    return admin.askRest(
        client,
        rest -> {
          JsonObject breaker = ask(rest);
          PrintWriter out = spec.commandLine().getOut();
          if (client.json()) {
            out.println(breaker.encode());
          } else {
            print(breaker, out);
          }
          out.flush();
          return ExitCode.OK;
        });
  }

  /** Asks the master; answers the breaker as it was before. Blocks. */
  abstract JsonObject ask(MasterRest rest);

  /** Prints it for people. */
  abstract void print(JsonObject breaker, PrintWriter out);

  /** The ids of the nodes that are kept, a line each. */
  static void printHeld(JsonObject breaker, PrintWriter out) {
    breaker.getJsonArray("held_node_ids").forEach(id -> out.println("  " + id));
  }
}
