package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.GcLog;
import io.moonpool.bench.heartbeat.MasterFiguresReader;
import io.moonpool.bench.heartbeat.MasterUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the process of a master uses. Blocks; one thread at a time. */
final class MasterProbe implements AutoCloseable {
  private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");

  private final MasterUnderTest master;
  private final MasterFiguresReader metrics;

  MasterProbe(MasterUnderTest master) {
    this.master = master;
    this.metrics = new MasterFiguresReader(master);
  }

  /** A moment. */
  record Moment(long nanos, double cpuSeconds, long allocatedBytes, long gcMark) {}

  /**
   * What was used since a moment.
   *
   * @param cpuSeconds of all threads of the process
   * @param allocatedBytes on its heap
   * @param gcPauseMillis the longest pause of its collector
   */
  record Used(double cpuSeconds, long allocatedBytes, double gcPauseMillis) {}

  Moment moment() throws IOException, InterruptedException {
    long allocated = allocatedBytes();
    return new Moment(System.nanoTime(), cpuSeconds(), allocated, GcLog.mark(master.gcLog()));
  }

  Used since(Moment moment) throws IOException, InterruptedException {
    double cpu = cpuSeconds() - moment.cpuSeconds();
    return new Used(
        cpu,
        allocatedBytes() - moment.allocatedBytes(),
        GcLog.since(master.gcLog(), moment.gcMark()).longestPauseMillis());
  }

  MasterFiguresReader.Scrape scrape() throws IOException, InterruptedException {
    return metrics.read();
  }

  private long allocatedBytes() throws IOException, InterruptedException {
    return (long) scrape().sum("moonpool_heap_allocated_bytes_total", "");
  }

  /** The CPU time of all its threads so far. */
  double cpuSeconds() {
    return ProcessHandle.of(master.pid())
            .flatMap(process -> process.info().totalCpuDuration())
            .orElse(Duration.ZERO)
            .toNanos()
        / 1e9;
  }

  /**
   * The memory of the process.
   *
   * @throws IOException when this machine does not tell
   */
  long residentBytes() throws IOException {
    Matcher line = RESIDENT.matcher(Files.readString(Path.of("/proc/" + master.pid() + "/status")));
    if (!line.find()) {
      throw new IOException("/proc/" + master.pid() + "/status does not tell VmRSS");
    }
    return Long.parseLong(line.group(1)) << 10;
  }

  @Override
  public void close() {
    metrics.close();
  }
}
