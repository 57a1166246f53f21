package io.moonpool.app.command.bench;

import io.moonpool.app.shell.ExitCode;
import io.moonpool.bench.transfer.TransferBench;
import io.moonpool.ucx.UcxLibrary;
import io.moonpool.ucx.UcxUnavailableException;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code moonpool bench transfer}. */
@Command(
    name = "transfer",
    description = {
      "One-sided puts and gets to a second process: tcp beside a plain blocking-socket copy loop,"
          + " shm and ucx beside a plain memory copy, taking turns. A ratio of 1 is as fast."
    })
final class TransferCommand implements Callable<Integer> {
  private static final List<Integer> SIZES = List.of(4 << 10, 64 << 10, 1 << 20, 4 << 20);

  @Mixin private FigureOptions figures = new FigureOptions();

  @Option(
      names = "--transports",
      split = ",",
      paramLabel = "LIST",
      description = {
        "Which: tcp, shm, ucx, or ucx/ with a transport of UCX behind it, like ucx/posix.",
        "Default: tcp,shm, and ucx/posix,ucx/tcp where UCX is installed."
      })
  private List<String> transports = List.of();

  @Option(
      names = "--in-flight",
      split = ",",
      defaultValue = "1,16",
      description = "Transfers under way at a time. Default: 1,16.")
  private List<Integer> inFlight = List.of();

  @Option(
      names = "--rounds",
      defaultValue = "15",
      description = "How often transport and reference take turns. Default: 15.")
  private int rounds;

  @Option(
      names = "--round-ms",
      defaultValue = "100",
      description = "How long a turn takes. Default: 100.")
  private long roundMillis;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = figures.text();
    TransferBench.Options options =
        new TransferBench.Options(
            transports.isEmpty() ? usual(out) : transports,
            figures.bytes(SIZES).stream().mapToInt(Integer::intValue).toArray(),
            inFlight.stream().mapToInt(Integer::intValue).toArray(),
            rounds,
            roundMillis,
            TransferBench.WINDOW_BYTES,
            true);
    List<JsonObject> measured = new ArrayList<>();
    new TransferBench(options)
        .run(
            figure -> {
              out.println(figure);
              out.flush();
              measured.add(figure.toJson());
            });
    figures.write(measured);
    return ExitCode.OK.number();
  }

  private static List<String> usual(PrintWriter out) {
    try {
      UcxLibrary.load();
      return List.of("tcp", "shm", "ucx/posix", "ucx/tcp");
    } catch (UcxUnavailableException e) {
      out.println("ucx is left out: " + e.getMessage());
      return List.of("tcp", "shm");
    }
  }
}
