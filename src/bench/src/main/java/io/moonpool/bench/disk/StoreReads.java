package io.moonpool.bench.disk;

import io.moonpool.storage.BucketStore;
import io.moonpool.storage.ReadResult;
import io.moonpool.storage.bucket.Blocks;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;

/** Whole values through the store, into memory that each reader has once, as a node does it. */
final class StoreReads implements ReadWay {
  private final BenchDisk disk;
  private final Readers readers;
  private final boolean verify;

  /**
   * Reads values of a disk.
   *
   * @param verify whether the store compares each value with its checksum
   */
  StoreReads(BenchDisk disk, Readers readers, boolean verify) {
    this.disk = disk;
    this.readers = readers;
    this.verify = verify;
  }

  @Override
  public String name() {
    return verify ? "store, verified" : "store";
  }

  @Override
  public ReadTurn read(long millis) throws IOException, InterruptedException {
    return readers.read(StoreReader::new, millis);
  }

  private final class StoreReader implements Readers.Reader {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment into =
        Blocks.allocate(arena, BucketStore.bufferBytes(0, disk.valueBytes()));

    @Override
    public long readAny(RandomGenerator random) throws IOException {
      long version = 1 + random.nextLong(disk.values());
      ReadResult result = disk.store().read(version, 0, disk.valueBytes(), into, verify);
      if (!result.ok()) {
        throw new IOException("the store answered " + result.code() + ": " + result.detail());
      }
      return result.length();
    }

    @Override
    public void close() {
      arena.close();
    }
  }
}
