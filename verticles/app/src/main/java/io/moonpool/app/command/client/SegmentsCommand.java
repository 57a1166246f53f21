package io.moonpool.app.command.client;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.blocking.BlockingObjects;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.Terminal;
import io.moonpool.app.shell.Tone;
import io.moonpool.model.SegmentInfo;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client segments}. */
@Command(name = "segments", description = "List the memory and the disks that the nodes lend.")
final class SegmentsCommand implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();

  @Override
  public Integer call() throws IOException {
    return client.connected(this::list);
  }

  /** A state, filled up first: colours take characters. */
  private static String toned(String format, Enum<?> state) {
    return Tone.ofState(state.name())
        .of(String.format(Locale.ROOT, format, state), Terminal.hasColours());
  }

  private ExitCode list(BlockingObjects pool) {
    PrintWriter out = spec.commandLine().getOut();
    if (!client.json()) {
      out.println(
          String.format(
              Locale.ROOT,
              "%-24s %-10s %15s %15s  %-12s %s",
              "SEGMENT",
              "KIND",
              "BYTES",
              "USED",
              "STATUS",
              "NODE"));
    }
    List<SegmentInfo> segments = new ArrayList<>(Await.result(pool.client().segments(), LIMIT));
    segments.sort(Comparator.comparing(segment -> segment.spec().name()));
    for (SegmentInfo segment : segments) {
      if (client.json()) {
        out.println(
            new JsonObject()
                .put("segment_id", segment.spec().id().toString())
                .put("name", segment.spec().name())
                .put("kind", JsonForms.name(segment.spec().kind()))
                .put("size", segment.spec().size())
                .put("used", segment.usedBytes())
                .put("status", segment.status().name())
                .put("node_id", segment.nodeId().toString())
                .put("node_state", segment.ownerState().name())
                .encode());
      } else {
        out.println(
            String.format(
                Locale.ROOT,
                "%-24s %-10s %15d %15d  %s %s (%s)",
                segment.spec().name(),
                JsonForms.name(segment.spec().kind()),
                segment.spec().size(),
                segment.usedBytes(),
                toned("%-12s", segment.status()),
                segment.nodeId(),
                toned("%s", segment.ownerState())));
      }
    }
    out.flush();
    return ExitCode.OK;
  }
}
