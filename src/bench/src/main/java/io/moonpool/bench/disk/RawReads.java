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

/** How fast a disk gives blocks of files around the page cache, with nothing of a store around. */
public final class RawReads {
  private RawReads() {}

  /**
   * Reads random blocks for a while. Blocks meanwhile.
   *
   * @param files that are large enough for a block each; smaller ones are left out
   * @param blockBytes a multiple of 4,096
   * @param readers reads under way at a time
   * @return 10^9 bytes a second
   * @throws IOException when a file cannot be read, or none has a whole block
   */
  public static double gigabytesPerSecond(
      List<Path> files, int blockBytes, int readers, long millis)
      throws IOException, InterruptedException {
    return new Readers(readers)
        .read(() -> new BlockReader(files, blockBytes), millis)
        .gigabytesPerSecond();
  }

  /** Reads one block after the other. */
  static final class BlockReader implements Readers.Reader {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment into;
    private final List<Path> files;
    private final List<PosixFile> open = new ArrayList<>();
    private final List<Long> blocks = new ArrayList<>();

    BlockReader(List<Path> files, int blockBytes) throws IOException {
      this.files = files;
      into = Blocks.allocate(arena, blockBytes);
      try {
        for (Path file : files) {
          PosixFile opened = PosixFile.openForReading(file.toString(), true);
          open.add(opened);
          blocks.add(opened.size() / blockBytes);
        }
      } catch (LibcException e) {
        close();
        throw new IOException(e.getMessage(), e);
      }
      if (blocks.stream().allMatch(count -> count == 0)) {
        close();
        throw new IOException("no file has a block of " + blockBytes + " bytes");
      }
    }

    @Override
    public long readAny(RandomGenerator random) throws IOException {
      int file = random.nextInt(open.size());
      while (blocks.get(file) == 0) {
        file = random.nextInt(open.size());
      }
      long got = open.get(file).read(into, random.nextLong(blocks.get(file)) * into.byteSize());
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
