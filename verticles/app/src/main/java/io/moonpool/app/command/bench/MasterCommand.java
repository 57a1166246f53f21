package io.moonpool.app.command.bench;

import io.moonpool.app.command.bench.heartbeat.BenchMasters;
import io.moonpool.app.shell.Arguments;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.FigureOutput;
import io.moonpool.bench.master.CallProtocol;
import io.moonpool.bench.master.MasterBench;
import io.moonpool.bench.master.MasterFigures;
import io.moonpool.bench.master.MasterPage;
import io.moonpool.bench.master.MasterSettings;
import io.moonpool.bench.master.ReferenceFigures;
import io.moonpool.bench.master.RowGroup;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code moonpool bench master}. */
@Command(
    name = "master",
    description = {
      "Memory per key, calls per second, what readers see while the index grows and while it evicts,"
          + " and what few of many keys cost. Starts the masters; exit code 0 also when goals are"
          + " missed, which are told at the end.",
      "Rows: load, batch, single, grpc, overfill, evict, touch."
    })
final class MasterCommand implements Callable<Integer> {
  private static final long MAX_KEYS = 18_000_000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--rows",
      split = ",",
      description = "What to measure. Default: all; without grpc for --protocol mooncake.")
  private @Nullable List<RowGroup> chosenRows;

  @Option(
      names = "--protocol",
      defaultValue = "frames",
      description = {
        "In whose calls: frames for Moonpool's own, mooncake for those of Mooncake's clients, which"
            + " then lend the memory, too. The row touch does not depend on it. Default: frames."
      })
  private CallProtocol protocol = CallProtocol.FRAMES;

  @Option(
      names = "--keys",
      defaultValue = "1000000",
      description =
          "Keys that are put before calls are measured, up to 18000000. Default: 1000000.")
  private long keys;

  @Option(names = "--clients", defaultValue = "4", description = "Clients. Default: 4.")
  private int clients;

  @Option(
      names = "--batch",
      defaultValue = "128",
      description = "Keys of a call with many, up to 1000. Default: 128.")
  private int batch;

  @Option(
      names = "--seconds",
      defaultValue = "5",
      description = "How long each kind of call is measured. Default: 5.")
  private int seconds;

  @Option(
      names = "--overfill-puts",
      defaultValue = "2000000",
      description =
          "Objects of 4 KiB that are put into memory for 52 %% of them. Default: 2000000, 4 GiB.")
  private long overfillPuts;

  @Option(
      names = "--evict-keys",
      defaultValue = "1000000",
      description = "Objects of which half are evicted at once. Default: 1000000.")
  private long evictKeys;

  @Option(
      names = "--touched",
      defaultValue = "50000",
      description = "Keys of the segment of the row touch. Default: 50000.")
  private int touched;

  @Option(
      names = "--pool-keys",
      split = ",",
      defaultValue = "1000000,4000000",
      description = "Among how many keys these are. Default: 1000000,4000000.")
  private List<Long> poolKeys = List.of();

  @Option(
      names = "--heap-mib",
      description = "The largest heap of the masters. Default: by the number of keys.")
  private @Nullable Integer heapMebibytes;

  @Option(
      names = "--cold",
      description = "Measure masters that have not rehearsed their calls before, for quick trials.")
  private boolean cold;

  @Option(
      names = "--reference",
      paramLabel = "FILE",
      description = {
        "Figures to stand beside those of this run: what --json wrote, or",
        "conf/reference-master.json."
      })
  private @Nullable Path reference;

  @Mixin private FigureOutput output = new FigureOutput();

  @Option(names = "--html", paramLabel = "FILE", description = "Write the figures as one page.")
  private @Nullable Path html;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<RowGroup> rows = rows();
    Arguments.require(
        spec, keys >= 1_000 && keys <= MAX_KEYS, "--keys must be 1000 to " + MAX_KEYS);
    Arguments.require(spec, clients >= 1 && clients <= 64, "--clients must be 1 to 64");
    Arguments.require(spec, batch >= 1 && batch <= 1_000, "--batch must be 1 to 1000");
    Arguments.require(spec, seconds >= 1 && seconds <= 600, "--seconds must be 1 to 600");
    Arguments.require(spec, overfillPuts >= 10_000, "--overfill-puts must be at least 10000");
    Arguments.require(
        spec,
        evictKeys >= 10_000 && evictKeys <= MAX_KEYS,
        "--evict-keys must be 10000 to 18000000");
    Arguments.require(spec, touched >= 100, "--touched must be at least 100");
    Arguments.require(
        spec,
        poolKeys.stream().allMatch(each -> each >= 1_000 && each <= MAX_KEYS),
        "--pool-keys must be 1000 to " + MAX_KEYS + " each");
    Arguments.require(
        spec,
        protocol == CallProtocol.FRAMES || !rows.contains(RowGroup.GRPC),
        "--rows grpc needs memory that Moonpool's clients reach: measure it with --protocol frames");
    Arguments.require(spec, !rows.isEmpty(), "--rows must name at least one row");
    MasterSettings settings =
        new MasterSettings(
            keys,
            clients,
            batch,
            seconds,
            overfillPuts,
            evictKeys,
            touched,
            poolKeys,
            protocol,
            EnumSet.copyOf(rows));
    PrintWriter out = output.text();
    MasterFigures figures = run(settings, beside(), out);
    out.println();
    out.print(figures.toText());
    out.flush();
    output.write(figures.toJson());
    if (html != null) {
      Files.writeString(html, MasterPage.of(figures));
    }
    return ExitCode.OK.number();
  }

  private List<RowGroup> rows() {
    if (chosenRows != null) {
      return chosenRows;
    }
    return Stream.of(RowGroup.values())
        .filter(row -> protocol == CallProtocol.FRAMES || row != RowGroup.GRPC)
        .toList();
  }

  private ReferenceFigures beside() throws IOException {
    Path file = reference;
    if (file == null) {
      return ReferenceFigures.NONE;
    }
    Arguments.require(
        spec, Files.isReadable(file), "--reference: " + file + " is no file that can be read");
    try {
      return ReferenceFigures.parse(Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "--reference " + file + ": " + e.getMessage(), e);
    }
  }

  private MasterFigures run(MasterSettings settings, ReferenceFigures beside, PrintWriter out)
      throws IOException, InterruptedException {
    BenchMasters masters = BenchMasters.inNewFolder(heapMebibytes, cold);
    out.printf("logs are in %s%n", masters.folder());
    out.flush();
    return masters.measure(
        new VertxOptions().setEventLoopPoolSize(settings.clients() + 1),
        vertx ->
            new MasterBench(
                    settings,
                    beside,
                    vertx,
                    masters,
                    note -> {
                      out.println(note);
                      out.flush();
                    })
                .run());
  }
}
