package io.moonpool.app.command.bench;

import io.moonpool.app.shell.Arguments;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.FigureOutput;
import io.moonpool.bench.allocator.AllocatorBench;
import io.moonpool.bench.allocator.AllocatorFigure;
import io.moonpool.bench.allocator.SizeMix;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code moonpool bench allocator}. */
@Command(
    name = "allocator",
    description = {
      "How much of a segment can be used before something finds no space, under several mixes of"
          + " sizes, and what an allocation costs. No memory is behind the segment.",
      "first failure: an empty segment is filled. full, replacing: objects then go at random to make"
          + " room. The times are those at 95 %% fill."
    })
final class AllocatorCommand implements Callable<Integer> {
  private static final int LEAST_GIB = 1;
  private static final int MOST_GIB = 1024;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private FigureOutput file = new FigureOutput();

  @Option(names = "--gib", defaultValue = "16", description = "GiB of the segment. Default: 16.")
  private int gib;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "The same seed gives the same sizes. Default: 1.")
  private long seed;

  @Override
  public Integer call() {
    Arguments.require(
        spec,
        gib >= LEAST_GIB && gib <= MOST_GIB,
        "--gib must be " + LEAST_GIB + " to " + MOST_GIB);
    PrintWriter out = file.text();
    AllocatorBench bench = new AllocatorBench((long) gib << 30, seed);
    List<JsonObject> measured = new ArrayList<>();
    out.println(AllocatorFigure.tableHeader());
    for (SizeMix mix : SizeMix.values()) {
      AllocatorFigure figure = bench.run(mix);
      out.println(figure);
      out.flush();
      measured.add(figure.toJson());
    }
    file.write(measured);
    return ExitCode.OK.number();
  }
}
