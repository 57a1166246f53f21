package io.moonpool.bench.disk;

import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One line of the result: how fast one way of reading is, for one size of values. Each figure is
 * the median over rounds in which all ways took turns.
 *
 * @param way what read
 * @param valueBytes of one read
 * @param readers reads under way at a time
 * @param gigabytesPerSecond in 10^9 bytes
 * @param cpuSecondsPerGigabyte processor time of the reading process
 * @param ratio of each round's speed to the reference's: 1 is as fast; also of the reference itself
 * @param lowestRatio that of the worst round
 * @param highestRatio that of the best one
 */
public record DiskFigure(
    String way,
    int valueBytes,
    int readers,
    double gigabytesPerSecond,
    double cpuSecondsPerGigabyte,
    double ratio,
    double lowestRatio,
    double highestRatio) {

  static DiskFigure of(
      String way, int valueBytes, int readers, List<ReadTurn> turns, List<ReadTurn> reference) {
    double[] ratios = new double[turns.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = turns.get(i).gigabytesPerSecond() / reference.get(i).gigabytesPerSecond();
    }
    Arrays.sort(ratios);
    return new DiskFigure(
        way,
        valueBytes,
        readers,
        median(turns.stream().mapToDouble(ReadTurn::gigabytesPerSecond).toArray()),
        median(turns.stream().mapToDouble(ReadTurn::cpuSecondsPerGigabyte).toArray()),
        median(ratios),
        ratios[0],
        ratios[ratios.length - 1]);
  }

  /** The middle one; of an even number the mean of the two in the middle. */
  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** The header that {@link #toString} fits under. */
  public static String tableHeader() {
    return String.format(
        Locale.ROOT,
        "%-16s %10s %8s %10s %10s %10s %7s %12s",
        "way",
        "bytes",
        "readers",
        "reads/s",
        "MB/s",
        "CPU s/GB",
        "ratio",
        "range");
  }

  /** The same for programs. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("way", way)
        .put("value_bytes", valueBytes)
        .put("readers", readers)
        .put("gigabytes_per_second", gigabytesPerSecond)
        .put("cpu_seconds_per_gigabyte", cpuSecondsPerGigabyte)
        .put("ratio", ratio)
        .put("lowest_ratio", lowestRatio)
        .put("highest_ratio", highestRatio);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%-16s %,10d %8d %,10.0f %,10.0f %10.3f %7.2f %12s",
        way,
        valueBytes,
        readers,
        gigabytesPerSecond * 1e9 / valueBytes,
        gigabytesPerSecond * 1e3,
        cpuSecondsPerGigabyte,
        ratio,
        String.format(Locale.ROOT, "%.2f-%.2f", lowestRatio, highestRatio));
  }
}
