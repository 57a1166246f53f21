package io.moonpool.bench.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Random reads of whole values through the store, with and without its checksums, beside fio with
 * the same size of blocks, the same number of jobs and the same files. They take turns, so that
 * what else happens on the machine hits all of them. Where fio is not installed, a plain loop of
 * {@code pread} takes its place.
 */
public final class DiskBench {
  private static final long WARM_UP_MILLIS = 5_000;

  private final Settings settings;
  private final Consumer<String> notes;

  /**
   * What to measure.
   *
   * @param directory an existing one on the disk that is meant; a folder of its own is made in it,
   *     and deleted in the end
   * @param bytes sizes of values
   * @param totalBytes how many bytes of values are stored of each size
   * @param readers reads under way at a time
   * @param rounds how often the ways take turns
   * @param turnMillis how long each turn takes
   * @param fio false to measure the plain loop even where fio is installed
   */
  public record Settings(
      Path directory,
      List<Integer> bytes,
      long totalBytes,
      int readers,
      int rounds,
      long turnMillis,
      boolean fio) {}

  /**
   * Prepares a run.
   *
   * @param notes what people should know of the run, a sentence each
   */
  public DiskBench(Settings settings, Consumer<String> notes) {
    this.settings = settings;
    this.notes = notes;
  }

  /**
   * Writes, measures, and deletes what was written. Blocks for about sizes times (rounds + 1) times
   * three turns.
   *
   * @param figures gets each figure when it is measured
   * @throws IOException when the disk or fio fails; the message says what to do
   */
  public void run(Consumer<DiskFigure> figures) throws IOException, InterruptedException {
    Optional<String> fio = settings.fio ? FioReads.version() : Optional.empty();
    notes.accept(
        fio.map(version -> "Reference: " + version + ", psync, direct, on the same files.")
            .orElse(
                "Reference: a plain loop of pread on the same files"
                    + (settings.fio
                        ? ", since fio is not installed (apt-get install fio)."
                        : ".")));
    for (int bytes : settings.bytes) {
      Path folder = Files.createTempDirectory(settings.directory, "moonpool-bench-disk-");
      try {
        long values = Math.max(settings.readers, settings.totalBytes / bytes);
        try (BenchDisk disk = BenchDisk.fill(folder.resolve("disk"), bytes, values)) {
          measure(disk, reference(disk, folder, fio.isPresent()), figures);
        }
      } finally {
        delete(folder);
      }
    }
  }

  private ReadWay reference(BenchDisk disk, Path folder, boolean fio) throws IOException {
    return fio
        ? new FioReads(disk, settings.readers, folder.resolve("fio"))
        : new PlainReads(disk, new Readers(settings.readers));
  }

  private void measure(BenchDisk disk, ReadWay reference, Consumer<DiskFigure> figures)
      throws IOException, InterruptedException {
    Readers readers = new Readers(settings.readers);
    List<ReadWay> ways =
        List.of(
            new StoreReads(disk, readers, false), new StoreReads(disk, readers, true), reference);
    List<List<ReadTurn>> turns = new ArrayList<>();
    // The compiler's work is not measured, nor that of the first look at each file.
    for (ReadWay way : ways) {
      turns.add(new ArrayList<>());
      way.read(Math.max(WARM_UP_MILLIS, settings.turnMillis));
      requireDirect(disk);
    }
    for (int round = 0; round < settings.rounds; round++) {
      for (int i = 0; i < ways.size(); i++) {
        turns.get(i).add(ways.get(i).read(settings.turnMillis));
      }
    }
    for (int i = 0; i < ways.size(); i++) {
      figures.accept(
          DiskFigure.of(
              ways.get(i).name(),
              disk.valueBytes(),
              settings.readers,
              turns.get(i),
              turns.get(ways.size() - 1)));
    }
  }

  private void requireDirect(BenchDisk disk) throws IOException {
    if (disk.store().stats().bufferedOpens() > 0) {
      throw new IOException(
          "the file system of "
              + settings.directory
              + " refuses O_DIRECT, so that the page cache would be measured: name a directory on"
              + " ext4 or xfs");
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
