package io.moonpool.bench.disk;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** fio with one {@code pread} under way in each job, around the page cache, on the same files. */
final class FioReads implements ReadWay {
  private final BenchDisk disk;
  private final int jobs;
  private final Path links;
  private final Path result;

  /**
   * Prepares runs of fio.
   *
   * @param folder an empty one, on the file system of the disk
   */
  FioReads(BenchDisk disk, int jobs, Path folder) throws IOException {
    this.disk = disk;
    this.jobs = jobs;
    this.links = Files.createDirectories(folder.resolve("data"));
    this.result = folder.resolve("fio.json");
    // fio takes all files of a directory; in the store's there are indexes, too.
    for (Path file : disk.dataFiles()) {
      Files.createLink(links.resolve(file.getFileName()), file);
    }
  }

  /** The version of fio, empty when it is not installed. */
  static Optional<String> version() throws InterruptedException {
    try {
      Process fio = new ProcessBuilder("fio", "--version").redirectErrorStream(true).start();
      String version =
          new String(fio.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return fio.waitFor() == 0 ? Optional.of(version) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public String name() {
    return "fio";
  }

  @Override
  public ReadTurn read(long millis) throws IOException, InterruptedException {
    Process fio =
        new ProcessBuilder(
                List.of(
                    "fio",
                    "--name=moonpool",
                    "--readonly",
                    "--opendir=" + links,
                    "--ioengine=psync",
                    "--direct=1",
                    "--rw=randread",
                    "--norandommap=1",
                    "--randrepeat=0",
                    "--file_service_type=random",
                    "--bs=" + disk.valueBytes(),
                    "--numjobs=" + jobs,
                    "--thread",
                    "--group_reporting",
                    "--time_based",
                    "--runtime=" + millis + "ms",
                    "--output-format=json",
                    "--output=" + result))
            .redirectErrorStream(true)
            .start();
    String said = new String(fio.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (fio.waitFor() != 0) {
      throw new IOException("fio ended with " + fio.exitValue() + ": " + said);
    }
    return turn(Files.readString(result));
  }

  /** Reads what fio reports of its one group of jobs. */
  static ReadTurn turn(String report) throws IOException {
    try {
      // Notes may stand in front of the document.
      JsonObject document = new JsonObject(report.substring(Math.max(0, report.indexOf('{'))));
      JsonObject job = document.getJsonArray("jobs").getJsonObject(0);
      JsonObject read = job.getJsonObject("read");
      // Percentages are of the time of all jobs together.
      double busy = (job.getDouble("usr_cpu") + job.getDouble("sys_cpu")) / 100;
      return new ReadTurn(
          read.getLong("io_bytes"),
          TimeUnit.MILLISECONDS.toNanos(read.getLong("runtime")),
          (long) (busy * TimeUnit.MILLISECONDS.toNanos(job.getLong("job_runtime"))));
    } catch (DecodeException | NullPointerException | ClassCastException e) {
      throw new IOException("this version of fio reports something else: " + e.getMessage(), e);
    }
  }
}
