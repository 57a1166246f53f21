package io.moonpool.storage.bucket;

import io.moonpool.libc.Errno;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.OpenFile;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a data file from its first byte to its last. Small values are collected in a staging
 * buffer; large ones go from where they are straight to the disk when their address allows it.
 *
 * <p>One thread, the writer's.
 */
public final class DataFileWriter {
  /** From here on a value is worth a write of its own. */
  private static final long STRAIGHT_BYTES = 256 << 10;

  /** From here on space is reserved before, so that a full disk is found out at once. */
  private static final long RESERVE_BYTES = 16L << 20;

  private final OpenFile file;
  private final long bucketId;
  private final MemorySegment staging;
  private final List<IndexEntry> described = new ArrayList<>();
  private long groupStart;
  private long flushed;
  private long filled;

  /**
   * A writer at the start of an empty file.
   *
   * @param staging aligned memory of whole blocks, used until the file is finished
   */
  public DataFileWriter(OpenFile file, long bucketId, MemorySegment staging) {
    this.file = file;
    this.bucketId = bucketId;
    this.staging = staging;
  }

  /** Where the next value starts. */
  public long nextOffset() {
    return described.size() == DescriptorBlock.MAX_VALUES
        ? flushed + filled + Blocks.BYTES
        : flushed + filled;
  }

  /** Writes a value, whose offset must be {@link #nextOffset}. */
  public void append(IndexEntry entry, MemorySegment value) throws FileException {
    if (described.size() == DescriptorBlock.MAX_VALUES) {
      describe();
    }
    if (entry.offset() != flushed + filled || entry.object().length() != value.byteSize()) {
      throw new IllegalArgumentException("the value is not what its entry says: " + entry);
    }
    long size = value.byteSize();
    if (size >= RESERVE_BYTES) {
      reserve(Blocks.up(size));
    }
    long straight = size >= STRAIGHT_BYTES && Blocks.aligned(value) ? Blocks.down(size) : 0;
    if (straight > 0) {
      flush();
      file.write(value.asSlice(0, straight), flushed);
      flushed += straight;
    }
    stage(value.asSlice(straight));
    long padding = Blocks.up(filled) - filled;
    staging.asSlice(filled, padding).fill((byte) 0);
    filled += padding;
    described.add(entry);
  }

  /**
   * Writes what is left and makes the file durable.
   *
   * @return its length
   */
  public long finish() throws FileException {
    if (!described.isEmpty()) {
      describe();
    }
    flush();
    file.sync();
    if (!file.direct()) {
      file.dropCache(); // whoever reads it reads around the cache or much later
    }
    return flushed;
  }

  private void reserve(long bytes) throws FileException {
    try {
      file.reserve(flushed + filled, bytes);
    } catch (FileException e) {
      if (e.errno() != Errno.EOPNOTSUPP && e.errno() != Errno.ENOSYS) {
        throw e;
      }
    }
  }

  private void stage(MemorySegment bytes) throws FileException {
    long done = 0;
    while (done < bytes.byteSize()) {
      if (filled == staging.byteSize()) {
        flush();
      }
      long piece = Math.min(bytes.byteSize() - done, staging.byteSize() - filled);
      MemorySegment.copy(bytes, done, staging, filled, piece);
      filled += piece;
      done += piece;
    }
  }

  private void flush() throws FileException {
    if (filled > 0) {
      file.write(staging.asSlice(0, filled), flushed);
      flushed += filled;
      filled = 0;
    }
  }

  private void describe() throws FileException {
    if (filled == staging.byteSize()) {
      flush();
    }
    DescriptorBlock block = new DescriptorBlock(staging.asSlice(filled, Blocks.BYTES));
    block.clear();
    block.setHead(bucketId, groupStart, described.size());
    for (int i = 0; i < described.size(); i++) {
      block.setEntry(i, described.get(i));
    }
    filled += Blocks.BYTES;
    groupStart = flushed + filled;
    described.clear();
  }
}
