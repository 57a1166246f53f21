package io.moonpool.app.command.client;

import io.moonpool.app.command.client.DiskCommand.Disk;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client disk gc}. */
@Command(
    name = "gc",
    description = {
      "Give back the space of objects that were removed or overwritten, one disk after the other.",
      "Files without a live object are deleted; what lives in mostly dead ones is copied, and then"
          + " they are deleted. Nodes never do that by themselves: they evict whole files when a disk"
          + " is full. Ctrl-C ends the waiting, not what a node has begun."
    })
final class DiskGcCommand implements Callable<Integer> {
  private static final long LOOK_MILLIS = 200;

  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private DiskCommand parent = new DiskCommand();

  @Parameters(
      paramLabel = "DISK",
      arity = "0..*",
      description =
          "Names of disks, as 'disk ls' shows them, or ids of their nodes. Default: all disks.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--dead-ratio",
      paramLabel = "R",
      defaultValue = "0.5",
      description =
          "Which part of a file's values must be dead for the others to be copied, above 0 to 1."
              + " Default: 0.5.")
  private double deadRatio;

  @Override
  public Integer call() throws IOException {
    return parent.on(names, this::collect);
  }

  private ExitCode collect(List<Disk> disks, NodeHttp http) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    for (Disk disk : disks) {
      http.call(disk, HttpMethod.POST, "/v1/disk/gc?dead_ratio=" + deadRatio);
      JsonObject ended = awaitEnd(disk, http);
      if (ended.containsKey("error")) {
        throw new CommandFailure(
            ExitCode.FAILED,
            disk.name()
                + ": the collection ended early: "
                + ended.getString("error")
                + ", "
                + ended.getString("message"));
      }
      out.println(parent.json() ? ended.put("name", disk.name()).encode() : sentence(disk, ended));
      out.flush();
    }
    return ExitCode.OK;
  }

  private static JsonObject awaitEnd(Disk disk, NodeHttp http) throws IOException {
    while (true) {
      JsonObject now = http.call(disk, HttpMethod.GET, "/v1/disk").getJsonObject("collection");
      if (now == null) {
        throw new CommandFailure(
            ExitCode.FAILED, disk.name() + ": the node was started anew meanwhile: try again");
      }
      if (!now.getBoolean("running")) {
        return now;
      }
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted; the node goes on", e);
      }
    }
  }

  private static String sentence(Disk disk, JsonObject ended) {
    return String.format(
        Locale.ROOT,
        "%s  freed %,d bytes: %d files deleted, %d rewritten, %d objects of %,d bytes copied",
        disk.name(),
        ended.getLong("freed_bytes"),
        ended.getLong("emptied_buckets"),
        ended.getLong("rewritten_buckets"),
        ended.getLong("copied_objects"),
        ended.getLong("copied_bytes"));
  }
}
