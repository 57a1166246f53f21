package io.moonpool.app.command.bench;

import io.moonpool.app.command.bench.heartbeat.BenchMasters;
import io.moonpool.app.shell.Arguments;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.FigureOutput;
import io.moonpool.bench.replay.ReplayBench;
import io.moonpool.bench.replay.ReplayFigures;
import io.moonpool.bench.replay.ReplaySettings;
import io.moonpool.bench.replay.SyntheticTrace;
import io.moonpool.bench.replay.TraceRequest;
import io.vertx.core.VertxOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code moonpool bench replay}. */
@Command(
    name = "replay",
    description = {
      "Replay a trace of inference requests against a master: hit ratio, latencies, eviction. No bytes"
          + " are moved. Each line is a JSON object with timestamp (ms), input_length, output_length"
          + " and hash_ids, one for each block of 512 tokens.",
      "Without FILE a trace is made up, the same for the same --seed."
    })
final class ReplayCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(arity = "0..1", paramLabel = "FILE", description = "The trace, JSON lines.")
  private @Nullable Path file;

  @Option(
      names = "--requests",
      defaultValue = "20000",
      description =
          "Length of a trace that is made up, or how much is read of FILE. Default: 20000.")
  private int requests;

  @Option(names = "--seed", defaultValue = "1", description = "Of a made-up trace. Default: 1.")
  private long seed;

  @Option(names = "--save", paramLabel = "FILE", description = "Write the trace to a file as well.")
  private @Nullable Path save;

  @Option(names = "--clients", defaultValue = "4", description = "Clients. Default: 4.")
  private int clients;

  @Option(
      names = "--block-mib",
      defaultValue = "16",
      description = "Size of the object that a block of 512 tokens becomes. Default: 16.")
  private int blockMebibytes;

  @Option(
      names = "--pool-gib",
      defaultValue = "256",
      description = "Memory of the pool, of which none is really there. Default: 256.")
  private int poolGibibytes;

  @Option(
      names = "--speed",
      defaultValue = "0",
      description = "How much faster than recorded; 0: as fast as it goes. Default: 0.")
  private double speed;

  @Option(
      names = "--lease-ms",
      defaultValue = "200",
      description =
          "How long what was read is kept. A trace that runs faster than recorded wants a shorter"
              + " lease than the usual 10000. Default: 200.")
  private long leaseMillis;

  @Option(
      names = "--eviction-ratio",
      defaultValue = "0.05",
      description = "Share of the memory that one eviction frees. Default: 0.05.")
  private double evictionRatio;

  @Option(
      names = "--cold",
      description = "Measure masters that have not rehearsed their calls before, for quick trials.")
  private boolean cold;

  @Mixin private FigureOutput output = new FigureOutput();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Arguments.require(spec, requests >= 1, "--requests must be at least 1");
    Arguments.require(spec, clients >= 1 && clients <= 256, "--clients must be 1 to 256");
    Arguments.require(
        spec, blockMebibytes >= 1 && blockMebibytes <= 1_024, "--block-mib must be 1 to 1024");
    Arguments.require(
        spec, poolGibibytes >= 1 && poolGibibytes <= 4_096, "--pool-gib must be 1 to 4096");
    Arguments.require(spec, speed >= 0, "--speed must not be negative");
    Arguments.require(spec, leaseMillis >= 1, "--lease-ms must be at least 1");
    Arguments.require(
        spec, evictionRatio >= 0 && evictionRatio <= 1, "--eviction-ratio must be 0 to 1");
    List<TraceRequest> trace = trace();
    if (save != null) {
      Files.write(save, trace.stream().map(TraceRequest::toLine).toList());
    }
    PrintWriter out = output.text();
    ReplayFigures figures = replay(trace, out);
    out.print(figures.toText());
    out.flush();
    output.write(figures.toJson());
    return ExitCode.OK.number();
  }

  private List<TraceRequest> trace() throws IOException {
    Path given = file;
    if (given == null) {
      return SyntheticTrace.of(requests, seed);
    }
    Arguments.require(spec, Files.isReadable(given), given + " is no file that can be read");
    List<TraceRequest> trace = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(given)) {
      int number = 1;
      for (@Nullable String line = lines.readLine();
          line != null && trace.size() < requests;
          line = lines.readLine(), number++) {
        if (!line.isBlank()) {
          trace.add(parsed(given, number, line));
        }
      }
    }
    Arguments.require(spec, !trace.isEmpty(), given + " is empty");
    return trace;
  }

  private TraceRequest parsed(Path given, int number, String line) {
    try {
      return TraceRequest.parse(line);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), given + " line " + number + ": " + e.getMessage(), e);
    }
  }

  private ReplayFigures replay(List<TraceRequest> trace, PrintWriter out)
      throws IOException, InterruptedException {
    ReplaySettings settings =
        new ReplaySettings(
            clients,
            (long) blockMebibytes << 20,
            (long) poolGibibytes << 30,
            speed,
            leaseMillis,
            evictionRatio);
    BenchMasters masters = BenchMasters.inNewFolder(null, cold);
    out.printf("logs are in %s%n", masters.folder());
    out.flush();
    return masters.measure(
        new VertxOptions(), vertx -> new ReplayBench(settings, vertx, masters).run(trace));
  }
}
