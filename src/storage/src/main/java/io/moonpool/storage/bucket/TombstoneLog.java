package io.moonpool.storage.bucket;

import io.moonpool.libc.Errno;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.FileLayer;
import io.moonpool.storage.file.FileOperation;
import io.moonpool.storage.file.OpenFile;
import io.moonpool.storage.file.WholeFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.LongPredicate;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The tombstones: which copies of objects are dead although an index still lists them. An
 * append-only file of 24-byte entries: bucket id and version (8 bytes each), the CRC32C of these
 * (4), a mark (4). A tombstone kills one copy, in one bucket: the same version may be stored anew.
 *
 * <p>A new file is begun at each start and when most entries name buckets that are gone: the
 * entries that still matter are copied, the new file becomes visible by a rename, the old one is
 * deleted. So a half-written end is never appended to. After a failed write or sync nothing more is
 * appended until a new file could be made.
 *
 * <p>One thread, the writer's; any thread may ask for the figures.
 */
public final class TombstoneLog implements AutoCloseable {
  /** The end of the names of its files. */
  public static final String ENDING = ".tombstones";

  private static final int ENTRY_BYTES = 24;
  private static final int PIECE_BYTES = ENTRY_BYTES * 8192;
  private static final int MARK = 0x424D_4F54; // "TOMB"
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final FileLayer layer;
  private final Path directory;
  private final LongArray old = new LongArray();
  private final LongArray pendingBuckets = new LongArray();
  private final LongArray pendingVersions = new LongArray();
  private @Nullable OpenFile current;
  private long sequence;
  private volatile long position;
  private volatile long entries;
  private long obsolete;
  private boolean broken = true;

  /**
   * A log that nothing can be appended to yet: {@link #restart} makes its first file.
   *
   * @param directory where its files are
   * @param found the sequence numbers of the files that are there, see {@link #sequence}
   */
  public TombstoneLog(FileLayer layer, Path directory, LongArray found) {
    this.layer = layer;
    this.directory = directory;
    for (int i = 0; i < found.size(); i++) {
      old.add(found.get(i));
      sequence = Math.max(sequence, found.get(i));
    }
  }

  /** The sequence number in a file name; empty when it is not a file of the log. */
  public static OptionalLong sequence(String name) {
    return BucketFiles.id(name, ENDING);
  }

  /** Is told of entries. */
  public interface Visitor {
    /** A copy that is dead. */
    void tombstone(long bucketId, long version) throws FileException;
  }

  /** What reading the files came to. */
  public record Reading(long entries, long damaged) {}

  /**
   * Reads all files.
   *
   * @return how many entries were intact, and how many bytes in the midst of a file were not; an
   *     unfinished entry at the end of a file was never acknowledged and counts as neither
   */
  public Reading read(Visitor visitor) throws FileException {
    long intact = 0;
    long damaged = 0;
    for (int i = 0; i < old.size(); i++) {
      Reading one = read(file(old.get(i)), visitor);
      intact += one.entries();
      damaged += one.damaged();
    }
    if (current != null) {
      Reading one = read(file(sequence), visitor);
      intact += one.entries();
      damaged += one.damaged();
    }
    return new Reading(intact, damaged);
  }

  private Reading read(Path path, Visitor visitor) throws FileException {
    long intact = 0;
    long damaged = 0;
    long doubtful = 0;
    try (OpenFile file = layer.open(path, false);
        Arena arena = Arena.ofConfined()) {
      MemorySegment piece = arena.allocate(PIECE_BYTES);
      for (long at = 0; ; at += PIECE_BYTES) {
        long got = file.read(piece, at);
        for (long entry = 0; entry + ENTRY_BYTES <= got; entry += ENTRY_BYTES) {
          if (piece.get(INT, entry + 20) == MARK
              && piece.get(INT, entry + 16) == crc(piece, entry)) {
            // Bad entries before a good one were not the end of the file: they were damaged later.
            damaged += doubtful;
            doubtful = 0;
            intact++;
            visitor.tombstone(piece.get(LONG, entry), piece.get(LONG, entry + 8));
          } else {
            doubtful++;
          }
        }
        if (got < PIECE_BYTES) {
          return new Reading(intact, damaged);
        }
      }
    }
  }

  /**
   * Appends and syncs. After it returned, the copies are dead whatever happens.
   *
   * @param bucketIds as many as there are versions
   * @throws FileException when they may not be durable: {@link #restart} before the next attempt
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes, others read
  public void append(LongArray bucketIds, LongArray versions) throws FileException {
    OpenFile file = current;
    if (file == null || broken) {
      throw new FileException(
          FileOperation.WRITE,
          file(sequence),
          Errno.EIO,
          "an earlier write failed and no new file could be made since");
    }
    broken = true; // until all of it went well
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment piece =
          arena.allocate(Math.min(PIECE_BYTES, (long) versions.size() * ENTRY_BYTES));
      long filled = 0;
      for (int i = 0; i < versions.size(); i++) {
        put(piece, filled, bucketIds.get(i), versions.get(i));
        filled += ENTRY_BYTES;
        if (filled == piece.byteSize() || i == versions.size() - 1) {
          file.write(piece.asSlice(0, filled), position);
          position += filled;
          filled = 0;
        }
      }
      file.sync();
    }
    entries += versions.size();
    broken = false;
  }

  /** Adds an entry to the next file that is made. */
  public void addPending(long bucketId, long version) {
    pendingBuckets.add(bucketId);
    pendingVersions.add(version);
  }

  /**
   * Makes a new file with the entries that matter, and deletes the old ones.
   *
   * @param present tells of a bucket id whether the bucket is still there
   */
  public void restart(LongPredicate present) throws FileException {
    long next = sequence + 1;
    Path path = file(next);
    Path aside = directory.resolve(path.getFileName() + BucketFiles.ASIDE);
    WholeFile.deleteIfThere(layer, aside);
    OpenFile file = layer.create(aside, false);
    long kept;
    try {
      Copier copier = new Copier(file, present);
      read(copier);
      for (int i = 0; i < pendingVersions.size(); i++) {
        copier.tombstone(pendingBuckets.get(i), pendingVersions.get(i));
      }
      kept = copier.finish();
      layer.rename(aside, path);
      layer.syncDirectory(directory);
    } catch (FileException e) {
      file.close();
      throw e;
    }
    if (current != null) {
      current.close();
      old.add(sequence);
    }
    current = file;
    sequence = next;
    position = kept * ENTRY_BYTES;
    entries = kept;
    obsolete = 0;
    broken = false;
    pendingBuckets.clear();
    pendingVersions.clear();
    // What stays behind because of a failure is read again and says nothing new.
    for (int i = 0; i < old.size(); i++) {
      WholeFile.deleteIfThere(layer, file(old.get(i)));
    }
    old.clear();
  }

  /** Notes that so many entries name a bucket that is gone. */
  public void addObsolete(long more) {
    obsolete += more;
  }

  /** True when most entries are of no use and there are enough to care. */
  public boolean worthRestarting(long atLeast) {
    return broken || (obsolete >= atLeast && obsolete * 2 > entries);
  }

  /** True at first and after a failed write: nothing can be appended before a {@link #restart}. */
  public boolean broken() {
    return broken;
  }

  /** Entries in the file. */
  public long entries() {
    return entries;
  }

  /** The bytes that the file takes on the disk. */
  public long bytes() {
    return Blocks.up(position);
  }

  private Path file(long number) {
    return directory.resolve(BucketFiles.hex(number) + ENDING);
  }

  private static void put(MemorySegment piece, long at, long bucketId, long version) {
    piece.set(LONG, at, bucketId);
    piece.set(LONG, at + 8, version);
    piece.set(INT, at + 16, crc(piece, at));
    piece.set(INT, at + 20, MARK);
  }

  private static int crc(MemorySegment piece, long at) {
    CRC32C crc = new CRC32C();
    crc.update(piece.asSlice(at, 16).asByteBuffer());
    return (int) crc.getValue();
  }

  @Override
  public void close() {
    if (current != null) {
      current.close();
      current = null;
    }
  }

  /** Writes the entries that matter into a new file. */
  private static final class Copier implements Visitor {
    private final OpenFile file;
    private final LongPredicate present;
    private final MemorySegment piece = Arena.ofAuto().allocate(PIECE_BYTES);
    private long filled;
    private long position;

    Copier(OpenFile file, LongPredicate present) {
      this.file = file;
      this.present = present;
    }

    @Override
    public void tombstone(long bucketId, long version) throws FileException {
      if (!present.test(bucketId)) {
        return;
      }
      put(piece, filled, bucketId, version);
      filled += ENTRY_BYTES;
      if (filled == PIECE_BYTES) {
        flush();
      }
    }

    private void flush() throws FileException {
      file.write(piece.asSlice(0, filled), position);
      position += filled;
      filled = 0;
    }

    long finish() throws FileException {
      if (filled > 0) {
        flush();
      }
      file.sync();
      return position / ENTRY_BYTES;
    }
  }
}
