package io.moonpool.bench.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The reference where fio is not installed: the same blocks of the same files with {@code pread},
 * no store around it.
 */
final class PlainReads implements ReadWay {
  private final BenchDisk disk;
  private final Readers readers;
  private final List<Path> files;

  PlainReads(BenchDisk disk, Readers readers) throws IOException {
    this.disk = disk;
    this.readers = readers;
    this.files = disk.dataFiles();
  }

  @Override
  public String name() {
    return "plain pread";
  }

  @Override
  public ReadTurn read(long millis) throws IOException, InterruptedException {
    return readers.read(() -> new RawReads.BlockReader(files, disk.valueBytes()), millis);
  }
}
