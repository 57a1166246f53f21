package io.moonpool.app.command;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Where a server listens, as scripts read it.
 *
 * @param role {@code master} or {@code node}
 * @param id the cluster's, or the node's
 * @param ports by interface, in the order to print them
 */
record ServerAddress(String role, String id, Map<String, Integer> ports) {
  /** One line: {@code master id=demo rpc=50051 http=9003 pid=17}. */
  String line() {
    return role
        + " id="
        + id
        + ports.entrySet().stream()
            .map(port -> " " + port.getKey() + "=" + port.getValue())
            .collect(Collectors.joining())
        + " pid="
        + ProcessHandle.current().pid();
  }

  /** The same as JSON. */
  JsonObject toJson() {
    JsonObject json = new JsonObject();
    ports.forEach(json::put);
    return new JsonObject()
        .put("role", role)
        .put("id", id)
        .put("pid", ProcessHandle.current().pid())
        .put("ports", json);
  }

  /** Writes the JSON so that a reader finds all of it or no file. */
  void write(Path file) throws IOException {
    Path target = file.toAbsolutePath();
    Path next = target.resolveSibling(target.getFileName() + ".new");
    Files.writeString(next, toJson().encodePrettily() + "\n");
    Files.move(next, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
