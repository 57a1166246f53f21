package io.moonpool.app.command.bench;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.cluster.JavaCommand;
import io.moonpool.app.cluster.LocalCluster;
import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.drain.MasterRest;
import io.moonpool.app.shell.Arguments;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.FigureOutput;
import io.moonpool.app.shell.Folders;
import io.moonpool.bench.disk.RawReads;
import io.moonpool.bench.transfer.TransferBench;
import io.moonpool.bench.transfer.TransferFigure;
import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.config.ByteSizes;
import io.moonpool.storage.bucket.BucketFiles;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code moonpool bench drain}. */
@Command(
    name = "drain",
    description = {
      "Drain one node to another, each a process of its own: many small objects, then large ones from"
          + " memory, then the same from disk only.",
      "The ratio of the large ones is to the slower of what the same run measured of plain reads around"
          + " the page cache and of plain puts to another process, as many at once as objects are under"
          + " way: 1 is as fast. Plain puts with many at once are shown, too.",
      "With --scheduler instead: the CPU time of a master's loops for a drain of 10,000 objects, beside"
          + " few and many other keys, and beside another job with many units that wait."
    })
final class DrainCommand implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final String DISKS = "disks";
  private static final String SOURCE_MEMORY = "node-1-0";
  private static final Duration WAIT = Duration.ofMinutes(2);
  private static final long LOOK_MILLIS = 100;
  private static final int BATCH = 16;
  private static final long SPARE_BYTES = 64L << 20;
  private static final int MANY = 16;
  private static final long READ_MILLIS = 2_000;
  private static final long WARM_UP_BYTES = 1L << 30;
  private static final int ROUNDS = 10;
  private static final long ROUND_MILLIS = 100;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private FigureOutput file = new FigureOutput();

  @Option(
      names = "--objects",
      defaultValue = "1000",
      description = "How many small objects. Default: 1000.")
  private int objects;

  @Option(
      names = "--small",
      paramLabel = "SIZE",
      defaultValue = "64KiB",
      description = "Size of a small object. Default: 64KiB.")
  private String small = "64KiB";

  @Option(
      names = "--total",
      paramLabel = "SIZE",
      defaultValue = "256MiB",
      description =
          "How much is drained in large objects, from memory and from disk. Default: 256MiB.")
  private String total = "256MiB";

  @Option(
      names = "--large",
      paramLabel = "SIZE",
      defaultValue = "1MiB",
      description = "Size of a large object. Default: 1MiB.")
  private String large = "1MiB";

  @Option(
      names = "--concurrency",
      defaultValue = "4",
      description = "Objects under way at once. Default: 4.")
  private int concurrency;

  @Option(
      names = "--transport",
      defaultValue = "tcp",
      description = "How the nodes reach each other: tcp, shm or ucx. Default: tcp.")
  private String transport = "tcp";

  @Option(
      names = "--dir",
      defaultValue = "/var/tmp",
      description = "An existing folder on the disk that is meant. Default: /var/tmp.")
  private Path directory = Path.of("/var/tmp");

  @Option(
      names = "--scheduler",
      description = "Measure what CPU time a drain takes on the master, and nothing else.")
  private boolean scheduler;

  private final List<JsonObject> figures = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    long smallBytes = bytes("--small", small);
    long largeBytes = bytes("--large", large);
    long totalBytes = bytes("--total", total);
    Arguments.require(spec, Files.isDirectory(directory), "--dir: there is no folder " + directory);
    Arguments.require(
        spec,
        objects >= 1 && concurrency >= 1 && smallBytes >= 1 && largeBytes >= 4096,
        "--objects, --concurrency, --small and --large must be positive");
    Arguments.require(spec, totalBytes >= largeBytes, "--total must be at least --large");
    Arguments.require(spec, largeBytes <= 16 << 20, "--large must be at most 16MiB");
    if (scheduler) {
      try (DrainCpu cpu = new DrainCpu()) {
        cpu.run(this::cpuFigure);
      }
    } else {
      Path folder = Files.createTempDirectory(directory, "moonpool-bench-drain-");
      try {
        run(folder, smallBytes, largeBytes, totalBytes);
      } finally {
        Folders.delete(folder);
      }
    }
    file.write(figures);
    return ExitCode.OK.number();
  }

  private void run(Path folder, long smallBytes, long largeBytes, long totalBytes)
      throws IOException, InterruptedException {
    long most = Math.max(objects * smallBytes, totalBytes);
    // Room below the watermark, where memory without a disk takes no more.
    long memory = (long) (most * 1.25) + SPARE_BYTES;
    Map<String, String> source = new LinkedHashMap<>();
    source.put("segment_bytes", String.valueOf(memory));
    source.put("transports", transport);
    Map<String, String> target = Map.copyOf(source);
    source.put("disk_dir", folder.resolve(DISKS).toString());
    source.put("disk_staging_bytes", "64MiB");
    source.put("disk_quota_bytes", String.valueOf(2 * most + (1L << 30)));
    Files.createDirectory(folder.resolve(DISKS));
    LocalCluster cluster =
        LocalCluster.start(
            JavaCommand.own(), folder, Map.of("data_dir", "master"), List.of(source, target));
    Vertx vertx = Vertx.vertx();
    try (MasterRest rest = MasterRest.open(cluster.masterAdmin(), "", "")) {
      DrainJobs jobs = new DrainJobs(rest);
      MoonpoolClient client =
          Await.result(
              MoonpoolClient.connect(vertx, ClientOptions.of(cluster.host(), cluster.masterPort())),
              LIMIT);
      put(client, "warm-up/", objects, (int) smallBytes);
      awaitOnDisk(client, objects);
      drain(jobs, "warm up");
      back(client, jobs);

      put(client, "small/", objects, (int) smallBytes);
      awaitOnDisk(client, objects);
      figure(drain(jobs, objects + " x " + small + ", memory"), 0);
      back(client, jobs);

      int count = (int) (totalBytes / largeBytes);
      // Large objects take other ways through the program, and those of plain puts are warm, too.
      int warmUp = (int) Math.min(count, Math.max(1, WARM_UP_BYTES / largeBytes));
      put(client, "warm-up/", warmUp, (int) largeBytes);
      awaitOnDisk(client, warmUp);
      drain(jobs, "warm up");
      back(client, jobs);

      put(client, "large/", count, (int) largeBytes);
      awaitOnDisk(client, count);
      double puts = rawPuts((int) largeBytes, totalBytes);
      double reads = rawReads(folder, (int) largeBytes);
      figure(drain(jobs, count + " x " + large + ", memory"), Math.min(puts, reads));
      back(client, jobs);

      // Reading from disk is another way again, and the restarted process is new.
      put(client, "warm-up/", warmUp, (int) largeBytes);
      awaitOnDisk(client, warmUp);
      cluster.restartNode(0);
      awaitOnlyOnDisk(client, warmUp);
      drain(jobs, "warm up");
      back(client, jobs);

      put(client, "large/", count, (int) largeBytes);
      awaitOnDisk(client, count);
      takeMemoryOut(rest);
      awaitOnlyOnDisk(client, count);
      figure(drain(jobs, count + " x " + large + ", disk"), Math.min(puts, reads));
      Await.result(client.close(), LIMIT);
    } finally {
      vertx.close();
      cluster.stop();
    }
  }

  private static void put(MoonpoolClient client, String prefix, int count, int bytes) {
    byte[] value = new byte[bytes];
    new Random(bytes).nextBytes(value);
    WriteOptions how =
        WriteOptions.of(ReplicateConfig.DEFAULT.withPreferredSegments(List.of(SOURCE_MEMORY)));
    for (int from = 0; from < count; from += BATCH) {
      List<Future<Void>> under = new ArrayList<>();
      for (int i = from; i < Math.min(count, from + BATCH); i++) {
        under.add(client.put(prefix + i, value, how));
      }
      Await.result(Future.all(under), LIMIT);
    }
  }

  /** Empties the pool and has the node take objects again, which waits for nothing else. */
  private static void back(MoonpoolClient client, DrainJobs jobs) {
    Await.result(client.removeMatching("", true), LIMIT);
    jobs.undrain("node-1");
  }

  /** Takes the memory of the node out of the pool; what is on its disk stays there. */
  private static void takeMemoryOut(MasterRest rest) {
    String id =
        rest.get("/api/v1/segments").getJsonArray("segments").stream()
            .map(JsonObject.class::cast)
            .filter(segment -> segment.getString("name").equals(SOURCE_MEMORY))
            .map(segment -> segment.getString("id"))
            .findFirst()
            .orElseThrow(
                () -> new CommandFailure(ExitCode.FAILED, "there is no segment " + SOURCE_MEMORY));
    rest.post("/api/v1/segments/" + id + "/unmount", new JsonObject().put("grace_ms", 0));
  }

  /** Offloads take turns with drains otherwise, and are not what is measured. */
  private static void awaitOnDisk(MoonpoolClient client, int count) throws InterruptedException {
    await(client, count, "on disk", info -> has(info, ReplicaType.LOCAL_DISK));
  }

  private static void awaitOnlyOnDisk(MoonpoolClient client, int count)
      throws InterruptedException {
    await(
        client,
        count,
        "known, and on disk only",
        info -> has(info, ReplicaType.LOCAL_DISK) && !has(info, ReplicaType.MEMORY));
  }

  private static void await(
      MoonpoolClient client, int count, String what, Predicate<ObjectInfo> ready)
      throws InterruptedException {
    long endNanos = System.nanoTime() + WAIT.toNanos();
    long are = list(client).stream().filter(ready).count();
    while (are != count) {
      if (System.nanoTime() - endNanos > 0) {
        throw new CommandFailure(
            ExitCode.FAILED, "only " + are + " of " + count + " objects are " + what);
      }
      Thread.sleep(LOOK_MILLIS);
      are = list(client).stream().filter(ready).count();
    }
  }

  private static List<ObjectInfo> list(MoonpoolClient client) {
    List<ObjectInfo> all = new ArrayList<>();
    var listing = client.list("", 1_000);
    while (!listing.isFinished()) {
      all.addAll(Await.result(listing.nextPage(), LIMIT));
    }
    return all;
  }

  private static boolean has(ObjectInfo info, ReplicaType type) {
    return info.replicas().stream().anyMatch(replica -> replica.type() == type);
  }

  private record Drained(String what, long objects, long bytes, double seconds) {}

  private Drained drain(DrainJobs jobs, String what) throws InterruptedException {
    long startNanos = System.nanoTime();
    JsonObject job =
        jobs.create(new JsonObject().put("node", "node-1").put("max_concurrency", concurrency));
    JsonObject ended = jobs.follow(job.getString("job_id"), LIMIT, told -> {});
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    if (!ended.getString("status").equals("succeeded")) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "the drain is " + ended.getString("status") + ": " + ended.getString("message"));
    }
    return new Drained(
        what, ended.getLong("succeeded_units"), ended.getLong("migrated_bytes"), seconds);
  }

  private void figure(Drained drained, double reference) {
    PrintWriter out = file.text();
    double rate = drained.bytes() / drained.seconds() / 1e9;
    out.printf(
        Locale.ROOT,
        "%-28s %6d objects %8.3f s %8.0f objects/s %7.3f GB/s%s%n",
        drained.what(),
        drained.objects(),
        drained.seconds(),
        drained.objects() / drained.seconds(),
        rate,
        reference == 0
            ? ""
            : String.format(
                Locale.ROOT, "; reference %.3f GB/s, ratio %.2f", reference, rate / reference));
    out.flush();
    JsonObject json =
        new JsonObject()
            .put("what", drained.what())
            .put("objects", drained.objects())
            .put("bytes", drained.bytes())
            .put("seconds", drained.seconds())
            .put("gigabytes_per_second", rate);
    if (reference > 0) {
      json.put("reference_gigabytes_per_second", reference).put("ratio", rate / reference);
    }
    figures.add(json);
  }

  private void cpuFigure(String what, int units, double millis) {
    PrintWriter out = file.text();
    out.printf(
        Locale.ROOT,
        "%-28s %6d objects %8.0f ms of CPU %8.1f us an object%n",
        what,
        units,
        millis,
        millis * 1e3 / units);
    out.flush();
    figures.add(
        new JsonObject().put("what", what).put("objects", units).put("cpu_milliseconds", millis));
  }

  /**
   * What as many at once as objects are under way reach, through as much memory as is drained, so
   * that no cache holds it; many at once are shown only.
   */
  private double rawPuts(int bytes, long windowBytes) throws InterruptedException {
    int[] inFlight = concurrency == MANY ? new int[] {MANY} : new int[] {concurrency, MANY};
    try {
      List<TransferFigure> all =
          new TransferBench(
                  new TransferBench.Options(
                      List.of(transport),
                      new int[] {bytes},
                      inFlight,
                      ROUNDS,
                      ROUND_MILLIS,
                      windowBytes,
                      false))
              .run(
                  figure ->
                      told(
                          "plain puts, " + figure.inFlight() + " at once",
                          figure.gigabytesPerSecond()));
      return all.getFirst().gigabytesPerSecond();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new CommandFailure(ExitCode.FAILED, "plain puts failed: " + e.getMessage());
    }
  }

  private double rawReads(Path folder, int bytes) throws IOException, InterruptedException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder.resolve(DISKS))) {
      files = walk.filter(file -> file.toString().endsWith(BucketFiles.DATA)).sorted().toList();
    }
    // Around the page cache whole blocks are read.
    int block = Math.max(4096, bytes / 4096 * 4096);
    return told(
        "plain reads, " + concurrency + " at once",
        RawReads.gigabytesPerSecond(files, block, concurrency, READ_MILLIS));
  }

  private double told(String what, double rate) {
    PrintWriter out = file.text();
    out.printf(Locale.ROOT, "%-28s %58.3f GB/s%n", what, rate);
    out.flush();
    figures.add(new JsonObject().put("what", what).put("gigabytes_per_second", rate));
    return rate;
  }

  private long bytes(String option, String text) {
    try {
      return ByteSizes.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
    }
  }
}
