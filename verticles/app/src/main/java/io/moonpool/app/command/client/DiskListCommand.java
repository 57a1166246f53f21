package io.moonpool.app.command.client;

import io.moonpool.app.command.client.DiskCommand.Disk;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client disk ls}. */
@Command(
    name = "ls",
    description = {
      "List the disks of the nodes and what is on them.",
      "LIVE is what objects take, USED what the files take: the rest is given back by 'disk gc'."
          + " DAMAGED counts buckets that were set aside and objects that could not be read."
    })
final class DiskListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private DiskCommand parent = new DiskCommand();

  @Override
  public Integer call() throws IOException {
    return parent.on(List.of(), this::list);
  }

  private ExitCode list(List<Disk> disks, NodeHttp http) {
    PrintWriter out = spec.commandLine().getOut();
    if (!parent.json()) {
      out.println(
          String.format(
              Locale.ROOT,
              "%-20s %9s %15s %15s %15s %7s  %-8s %s",
              "DISK",
              "OBJECTS",
              "LIVE",
              "USED",
              "QUOTA",
              "DAMAGED",
              "STATE",
              "NODE"));
    }
    ExitCode code = ExitCode.OK;
    for (Disk disk : disks) {
      try {
        print(out, disk, http.call(disk, HttpMethod.GET, "/v1/disk"));
      } catch (CommandFailure e) {
        spec.commandLine().getErr().println("moonpool: " + e.getMessage());
        code = e.exitCode(); // the others are listed all the same
      }
    }
    out.flush();
    return code;
  }

  private void print(PrintWriter out, Disk disk, JsonObject status) {
    if (parent.json()) {
      out.println(status.put("node_id", disk.nodeId().toString()).encode());
      return;
    }
    out.println(
        String.format(
            Locale.ROOT,
            "%-20s %9d %15d %15d %15d %7d  %-8s %s",
            disk.name(),
            status.getLong("objects"),
            status.getLong("live_bytes"),
            status.getLong("used_bytes"),
            status.getLong("quota_bytes"),
            status.getLong("damaged_buckets") + status.getLong("damages_found"),
            status.getBoolean("writable") ? "ok" : "readonly",
            disk.nodeId()));
  }
}
