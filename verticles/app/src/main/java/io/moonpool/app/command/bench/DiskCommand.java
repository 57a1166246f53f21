package io.moonpool.app.command.bench;

import io.moonpool.app.shell.Arguments;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.bench.disk.DiskBench;
import io.moonpool.bench.disk.DiskFigure;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code moonpool bench disk}. */
@Command(
    name = "disk",
    description = {
      "Random reads of whole values from a disk through the store of a node, with and without its"
          + " checksums, beside fio on the same files, taking turns. A ratio of 1 is as fast.",
      "All go around the page cache. Without fio, a plain loop of pread is the reference."
    })
final class DiskCommand implements Callable<Integer> {
  private static final int BLOCK_BYTES = 4096;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private FigureOptions figures = new FigureOptions();

  @Option(
      names = "--dir",
      defaultValue = "/var/tmp",
      description = "An existing folder on the disk that is meant. Default: /var/tmp.")
  private Path directory = Path.of("/var/tmp");

  @Option(
      names = "--readers",
      defaultValue = "4",
      description = "Reads under way at a time. Default: 4.")
  private int readers;

  @Option(
      names = "--seconds",
      defaultValue = "2",
      description = "How long each turn takes. Default: 2.")
  private int seconds;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description = "How often store and reference take turns. Default: 5.")
  private int rounds;

  @Option(
      names = "--mebibytes",
      defaultValue = "1024",
      description = "MiB of values that are stored of each size. Default: 1024.")
  private long mebibytes;

  @Option(
      names = "--fio",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Measure fio beside it when it is installed. Default: yes.")
  private boolean fio;

  @Override
  public Integer call() throws InterruptedException {
    Arguments.require(spec, Files.isDirectory(directory), "--dir: there is no folder " + directory);
    Arguments.require(spec, readers >= 1 && readers <= 256, "--readers must be 1 to 256");
    Arguments.require(spec, seconds >= 1, "--seconds must be at least 1");
    Arguments.require(spec, rounds >= 1, "--rounds must be at least 1");
    Arguments.require(spec, mebibytes >= 1, "--mebibytes must be at least 1");
    Arguments.require(
        spec,
        figures.bytes().stream().allMatch(bytes -> bytes > 0 && bytes % BLOCK_BYTES == 0),
        "--bytes must be multiples of 4096, as reads around the page cache are");
    PrintWriter out = figures.text();
    DiskBench.Settings settings =
        new DiskBench.Settings(
            directory,
            figures.bytes(),
            mebibytes << 20,
            readers,
            rounds,
            TimeUnit.SECONDS.toMillis(seconds),
            fio);
    List<JsonObject> measured = new ArrayList<>();
    try {
      DiskBench bench =
          new DiskBench(
              settings,
              note -> {
                out.println(note);
                out.println(DiskFigure.tableHeader());
                out.flush();
              });
      bench.run(
          figure -> {
            out.println(figure);
            out.flush();
            measured.add(figure.toJson());
          });
      figures.write(measured);
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()));
    }
    return ExitCode.OK.number();
  }
}
