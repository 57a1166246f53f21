package io.moonpool.app.command.client;

import io.moonpool.app.drain.MasterRest;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code moonpool client offline-breaker}. */
@Command(
    name = "offline-breaker",
    description =
        "Tell whether nodes that are not heard from are kept from going OFFLINE, and which.")
final class OfflineBreakerCommand extends BreakerCommand {
  @Override
  JsonObject ask(MasterRest rest) {
    return rest.get("/api/v1/offline_breaker");
  }

  @Override
  void print(JsonObject breaker, PrintWriter out) {
    if (!breaker.getBoolean("enabled")) {
      out.println("off: set offline_breaker_enabled in the master's configuration");
    } else if (!breaker.getBoolean("holding")) {
      out.println("closed: nodes go OFFLINE when their time is over");
    } else {
      out.println(
          "holding for "
              + breaker.getString("reason")
              + ": these would be OFFLINE; 'confirm-offline' says that they are gone");
      printHeld(breaker, out);
    }
  }
}
