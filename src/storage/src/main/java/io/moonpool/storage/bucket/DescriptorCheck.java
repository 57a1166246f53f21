package io.moonpool.storage.bucket;

import io.moonpool.libc.Errno;
import io.moonpool.storage.file.FileException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Compares the descriptor blocks of a data file with where the store believes its values to be. An
 * unreadable descriptor is counted and takes nothing away, since every value has a checksum of its
 * own; an intact one that says something else means that this is another file.
 *
 * @param damaged descriptors that are not as they were written
 * @param contradiction what an intact descriptor says that is not so; null when there is none
 */
public record DescriptorCheck(int damaged, @Nullable String contradiction) {
  /** Reads blocks of a data file into aligned memory. */
  public interface Reader {
    /** {@return how many bytes there were} */
    long read(MemorySegment into, long position) throws FileException;
  }

  /**
   * Checks a bucket from its last descriptor to its first.
   *
   * @throws FileException when it cannot be told now: the error says nothing about the file
   */
  public static DescriptorCheck of(Bucket bucket, LocationTable table, Reader reader)
      throws FileException {
    int damaged = 0;
    try (Arena arena = Arena.ofConfined()) {
      DescriptorBlock block = new DescriptorBlock(Blocks.allocate(arena, Blocks.BYTES));
      long end = bucket.dataBytes();
      while (end > 0) {
        long at = end - Blocks.BYTES;
        if (!readWhole(reader, block, at) || !block.headIntact()) {
          return new DescriptorCheck(damaged + 1, null); // where the one before it is, nobody says
        }
        if (block.bucketId() != bucket.id()) {
          return new DescriptorCheck(
              damaged, "the data is that of bucket " + BucketFiles.hex(block.bucketId()));
        }
        for (int i = 0; i < block.count(); i++) {
          if (!block.intact(i)) {
            damaged++;
          } else if (contradicts(block, i, table.get(block.version(i)), bucket.number())) {
            return new DescriptorCheck(
                damaged,
                "index and data disagree about version " + Long.toUnsignedString(block.version(i)));
          }
        }
        if (block.groupStart() < 0 || block.groupStart() > at) {
          return new DescriptorCheck(damaged, "a descriptor points beyond itself");
        }
        end = block.groupStart();
      }
    }
    return new DescriptorCheck(damaged, null);
  }

  private static boolean readWhole(Reader reader, DescriptorBlock block, long at)
      throws FileException {
    try {
      return reader.read(block.memory(), at) == Blocks.BYTES;
    } catch (FileException e) {
      if (e.errno() != Errno.EIO) {
        throw e;
      }
      return false; // the values behind it will tell, each for itself
    }
  }

  private static boolean contradicts(
      DescriptorBlock block, int i, @Nullable Location location, int bucket) {
    return location != null
        && location.bucket() == bucket
        && (location.offset() != block.offset(i)
            || location.length() != block.length(i)
            || location.crc() != block.valueCrc(i));
  }
}
