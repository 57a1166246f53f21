package io.moonpool.app.command.client;

import io.moonpool.app.drain.MasterRest;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code moonpool client confirm-offline}. */
@Command(
    name = "confirm-offline",
    description =
        "Confirm that the nodes which are kept from going OFFLINE are gone: what they have is"
            + " forgotten.")
final class ConfirmOfflineCommand extends BreakerCommand {
  @Override
  JsonObject ask(MasterRest rest) {
    return rest.post("/api/v1/offline_breaker/confirm", new JsonObject());
  }

  @Override
  void print(JsonObject before, PrintWriter out) {
    out.println("these go OFFLINE:");
    printHeld(before, out);
  }
}
