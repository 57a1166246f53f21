package io.moonpool.app.command;

import io.moonpool.app.cluster.JavaCommand;
import io.moonpool.app.cluster.LocalCluster;
import io.moonpool.app.demo.Demo;
import io.moonpool.app.demo.DemoData;
import io.moonpool.app.demo.DemoObject;
import io.moonpool.app.demo.DemoOptions;
import io.moonpool.app.demo.DemoReport;
import io.moonpool.app.demo.MemoryPlan;
import io.moonpool.app.shell.Arguments;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.Folders;
import io.moonpool.app.shell.OutputOption;
import io.moonpool.app.shell.Terminal;
import io.moonpool.libc.AvailableMemory;
import io.moonpool.model.config.ByteSizes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code moonpool demo}. Runs on the main thread. */
@Command(
    name = "demo",
    description = {
      "Start a master and three nodes on this machine, store files in their memory and on their disks,"
          + " read every byte back in two other ways, compare, and tell how fast it was.",
      "Then drain a node, its disk included, and read and compare everything once more.",
      "The nodes lend less memory than the files need, so some of them end on disk only.",
      "The processes are ended with the demo. Nothing is left on disk."
    })
final class DemoCommand implements Callable<Integer> {
  private static final int MOST_NODES = 16;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

  private static final Path VAR_TMP = Path.of("/var/tmp");

  /** What a shell reports for a command that Ctrl-C ended. */
  private static final int INTERRUPTED = 130;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "FILE",
      description = "Files and folders to store. None: docs/ and 256MiB of generated objects.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--generate",
      paramLabel = "SIZE",
      description =
          "Also store so much generated data, in objects of 4KiB to 16MiB. Default: 256MiB without"
              + " FILE, else 0.")
  private @Nullable String generate;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Sizes and content of what is generated follow from this number. Default: 1.")
  private long seed;

  @Option(
      names = "--nodes",
      defaultValue = "3",
      description = "How many nodes to start, 2 to 16. Default: 3.")
  private int nodes;

  @Option(
      names = "--replicas",
      defaultValue = "1",
      description = "How many copies of each object, on different nodes. Default: 1.")
  private int replicas;

  @Option(
      names = "--parallel",
      defaultValue = "2",
      description = "How many objects are under way at once. Default: 2.")
  private int parallel;

  @Option(
      names = "--disk-dir",
      paramLabel = "FOLDER",
      description =
          "Where the nodes' disks are: a folder in it that is deleted afterwards. Default: the"
              + " folder for temporary files, or /var/tmp when that one is in memory.")
  private @Nullable Path diskDir;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      defaultValue = "",
      description =
          "Move all bytes by this transport: shm, ucx or tcp. Default: shared memory to store, TCP to"
              + " read back, as from another machine.")
  private String transport = "";

  @Mixin private OutputOption output = new OutputOption();

  @Option(names = "--keep", description = "Leave the cluster running afterwards, until Ctrl-C.")
  private boolean keep;

  private boolean kept;

  @Override
  public Integer call() throws IOException {
    DemoOptions options = options();
    StopSignal stop = StopSignal.install(STOP_LIMIT);
    Thread main = Thread.currentThread();
    stop.requested().thenRun(main::interrupt);
    int code = ExitCode.FAILED.number();
    try {
      run(options);
      code = ExitCode.OK.number();
    } catch (InterruptedException e) {
      code = kept ? ExitCode.OK.number() : INTERRUPTED;
    } finally {
      stop.finished(code);
    }
    return code;
  }

  private void run(DemoOptions options) throws IOException, InterruptedException {
    PrintWriter out = output.text();
    long bytesPerNode = MemoryPlan.bytesPerNode(options, AvailableMemory.bytes());
    Path folder = Files.createTempDirectory("moonpool-demo-");
    Path disks = null;
    boolean failed = true;
    try {
      disks = Files.createTempDirectory(disksParent(), "moonpool-demo-disks-");
      long bytesPerDisk =
          MemoryPlan.diskBytesPerNode(options, Files.getFileStore(disks).getUsableSpace());
      out.printf(
          "Starting a master and %d nodes that lend %s of memory each, and a disk%n",
          nodes, ByteSizes.format(bytesPerNode));
      out.flush();
      LocalCluster cluster =
          LocalCluster.start(
              JavaCommand.own(),
              folder,
              nodes,
              new LocalCluster.Lent(bytesPerNode, disks, bytesPerDisk, transport));
      try {
        show(options, cluster, out);
        failed = false;
        if (keep) {
          out.println(
              "Logs are in "
                  + folder
                  + ", which stays there. The cluster runs until you press Ctrl-C.");
          out.flush();
          kept = true;
          new CountDownLatch(1).await();
        }
      } catch (InterruptedException e) {
        failed = false;
        throw e;
      } finally {
        // Stopping waits, which an interrupt must not cut short.
        boolean interrupted = Thread.interrupted();
        cluster.stop();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    } finally {
      if (disks != null) {
        Folders.delete(disks);
      }
      if (failed || kept) {
        out.println("The logs of the processes are in " + folder);
      } else {
        Folders.delete(folder);
      }
      out.flush();
    }
  }

  private Path disksParent() throws IOException {
    if (diskDir != null) {
      return diskDir;
    }
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    return isInMemory(temporary) && Files.isWritable(VAR_TMP) && !isInMemory(VAR_TMP)
        ? VAR_TMP
        : temporary;
  }

  private static boolean isInMemory(Path folder) throws IOException {
    return Files.getFileStore(folder).type().equals("tmpfs");
  }

  private void show(DemoOptions options, LocalCluster cluster, PrintWriter out)
      throws InterruptedException {
    out.printf(
        "Storing %d objects, %.1f MB%n", options.objects().size(), options.totalBytes() / 1e6);
    out.flush();
    DemoReport report = new Demo(options, cluster, out, Terminal.isThere() && !output.json()).run();
    report.print(out, cluster);
    output.result(report.toJson(cluster));
    if (keep) {
      report.printAddresses(out, cluster);
    }
  }

  private DemoOptions options() throws IOException {
    Arguments.require(
        spec, nodes >= 2 && nodes <= MOST_NODES, "--nodes must be 2 to " + MOST_NODES);
    Arguments.require(
        spec, replicas >= 1 && replicas <= nodes, "--replicas must be 1 to the number of nodes");
    Arguments.require(
        spec,
        diskDir == null || Files.isDirectory(diskDir),
        "--disk-dir: there is no folder " + diskDir);
    Arguments.require(
        spec,
        transport.isEmpty() || List.of("shm", "ucx", "tcp").contains(transport),
        "--transport must be shm, ucx or tcp");
    Arguments.require(spec, parallel >= 1 && parallel <= 64, "--parallel must be 1 to 64");
    List<DemoObject> objects = new ArrayList<>();
    Path working = Path.of("");
    try {
      if (files.isEmpty()) {
        Path home = Path.of(System.getProperty("moonpool.home", ""));
        Path docs = home.resolve("docs");
        objects.addAll(DemoData.files(Files.isDirectory(docs) ? List.of(docs) : List.of(), home));
      } else {
        objects.addAll(DemoData.files(files, working));
      }
    } catch (IOException | UncheckedIOException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    objects.addAll(DemoData.generated(generatedBytes(), seed));
    Arguments.require(spec, !objects.isEmpty(), "there is nothing to store: all files are empty");
    return new DemoOptions(objects, nodes, replicas, parallel, transport);
  }

  private long generatedBytes() {
    if (generate == null) {
      return files.isEmpty() ? 256L << 20 : 0;
    }
    try {
      return ByteSizes.parse(generate);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--generate: " + e.getMessage(), e);
    }
  }
}
