package io.moonpool.bench.disk;

import io.moonpool.libc.LibcException;
import io.moonpool.libc.PosixFile;
import io.moonpool.storage.bucket.Blocks;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

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
    return readers.read(PlainReader::new, millis);
  }

  private final class PlainReader implements Readers.Reader {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment into = Blocks.allocate(arena, disk.valueBytes());
    private final List<PosixFile> open = new ArrayList<>();
    private final List<Long> blocks = new ArrayList<>();

    PlainReader() throws IOException {
      try {
        for (Path file : files) {
          PosixFile opened = PosixFile.openForReading(file.toString(), true);
          open.add(opened);
          blocks.add(opened.size() / into.byteSize());
        }
      } catch (LibcException e) {
        close();
        throw new IOException(e.getMessage(), e);
      }
    }

    @Override
    public long readAny(RandomGenerator random) throws IOException {
      int file = random.nextInt(open.size());
      long block = random.nextLong(blocks.get(file));
      long got = open.get(file).read(into, block * into.byteSize());
      if (got != into.byteSize()) {
        throw new IOException(files.get(file) + " ended early");
      }
      return got;
    }

    @Override
    public void close() {
      open.forEach(PosixFile::close);
      arena.close();
    }
  }
}
