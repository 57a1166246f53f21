package io.moonpool.storage.directory;

import io.moonpool.libc.Errno;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.FileLayer;
import io.moonpool.storage.file.WholeFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a disk: owned by one process, with the disk's id, the version of its format, and
 * a count of how often it was opened, from which bucket ids are made that never come again.
 *
 * <table>
 * <caption>What is in it</caption>
 * <tr><td>{@code lock}<td>the lock of the owner, and its process id
 * <tr><td>{@code disk-id}<td>a UUID
 * <tr><td>{@code format}<td>{@code moonpool-disk 1}
 * <tr><td>{@code opens}<td>a number
 * <tr><td>{@code buckets/}<td>data and index files, tombstones
 * <tr><td>{@code damaged/}<td>what a recovery set aside; never deleted
 * </table>
 *
 * <p>Blocks; any thread may open and close.
 */
public final class DiskDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DiskDirectory.class);
  private static final String ID_FILE = "disk-id";
  private static final String FORMAT_FILE = "format";
  private static final String OPENS_FILE = "opens";
  private static final String FORMAT = "moonpool-disk 1";

  private final OwnedDirectory owned;
  private final FileLayer layer;
  private final long opens;

  private DiskDirectory(OwnedDirectory owned, FileLayer layer, long opens) {
    this.owned = owned;
    this.layer = layer;
    this.opens = opens;
  }

  /**
   * Creates the directory when needed, locks it, and checks what is in it.
   *
   * @param setting the setting that named the directory, for messages
   * @throws StoreException {@code FILE_LOCK_FAIL} when a process has it, and says which; {@code
   *     NOT_SUPPORTED} when its format is unknown; {@code FILE_READ_FAIL} when one of its files is
   *     damaged; {@code FILE_OPEN_FAIL} when it cannot be used
   */
  public static DiskDirectory open(FileLayer layer, Path directory, String setting) {
    requireIdOfUsedDisk(layer, directory.toAbsolutePath().normalize());
    OwnedDirectory owned = OwnedDirectory.open(layer, directory, setting, ID_FILE);
    try {
      Path path = owned.path();
      checkFormat(layer, path.resolve(FORMAT_FILE));
      layer.createDirectories(path.resolve("buckets"));
      layer.createDirectories(path.resolve("damaged"));
      DiskDirectory opened =
          new DiskDirectory(owned, layer, countOpen(layer, path.resolve(OPENS_FILE)));
      owned = null;
      return opened;
    } catch (FileException e) {
      throw new StoreException(
          ErrorCode.FILE_OPEN_FAIL,
          setting
              + " "
              + directory.toAbsolutePath()
              + " cannot be used: "
              + e.getMessage()
              + "; name a directory that this user may write to");
    } finally {
      if (owned != null) {
        owned.close();
      }
    }
  }

  /**
   * A disk whose id was lost is not given another one: what was removed from the disk of the old id
   * would come back under the new one.
   */
  private static void requireIdOfUsedDisk(FileLayer layer, Path directory) {
    if (isThere(layer, directory.resolve(FORMAT_FILE))
        && !isThere(layer, directory.resolve(ID_FILE))) {
      throw new StoreException(
          ErrorCode.FILE_READ_FAIL,
          directory.resolve(ID_FILE)
              + " is missing although the directory was in use: restore it, or name an empty"
              + " directory to start a new disk");
    }
  }

  private static boolean isThere(FileLayer layer, Path file) {
    try {
      return !read(layer, file).isEmpty();
    } catch (FileException e) {
      return false; // opening the directory will say what is wrong with it
    }
  }

  private static void checkFormat(FileLayer layer, Path file) throws FileException {
    String found = read(layer, file);
    if (found.isEmpty()) {
      WholeFile.replace(layer, file, (FORMAT + "\n").getBytes(StandardCharsets.US_ASCII));
    } else if (!found.equals(FORMAT)) {
      throw new StoreException(
          ErrorCode.NOT_SUPPORTED,
          file
              + " says '"
              + found
              + "', this version knows '"
              + FORMAT
              + "' only: use the version that wrote it, or another directory");
    }
  }

  private static long countOpen(FileLayer layer, Path file) throws FileException {
    String found = read(layer, file);
    long before;
    try {
      before = found.isEmpty() ? 0 : Long.parseLong(found);
    } catch (NumberFormatException e) {
      before = -1;
    }
    if (before < 0 || before >= Integer.MAX_VALUE) {
      throw new StoreException(
          ErrorCode.FILE_READ_FAIL,
          file
              + " holds no count but '"
              + found
              + "': write a number into it that is greater than the first eight hexadecimal"
              + " digits of every file name in buckets/");
    }
    long now = before + 1;
    try {
      WholeFile.replace(layer, file, (now + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (FileException e) {
      if (!e.isOutOfSpace() || before == 0) {
        throw e;
      }
      // A full disk is opened nevertheless, to be read and to be emptied: whoever makes bucket ids
      // begins after the greatest that there is.
      LOG.warn("There is no space to count the opening of {}.", file.getParent());
    }
    return now;
  }

  /** The stripped text of a file, empty when it is not there. */
  private static String read(FileLayer layer, Path file) throws FileException {
    try {
      return new String(WholeFile.read(layer, file), StandardCharsets.UTF_8).strip();
    } catch (FileException e) {
      if (e.errno() == Errno.ENOENT) {
        return "";
      }
      throw e;
    }
  }

  /** The disk's id, which its segment has too. */
  public UUID id() {
    return owned.id();
  }

  /** The file that holds the disk's id. */
  public Path idFile() {
    return path().resolve(ID_FILE);
  }

  /** The absolute path. */
  public Path path() {
    return owned.path();
  }

  /** Where bucket files are. */
  public Path buckets() {
    return path().resolve("buckets");
  }

  /** Where a recovery puts what it cannot use. */
  public Path damaged() {
    return path().resolve("damaged");
  }

  /** The file system it is on. */
  public FileLayer layer() {
    return layer;
  }

  /** The first bucket id of this opening: greater than all ids of earlier ones. */
  public long firstBucketId() {
    return opens << 32;
  }

  /** Lets the next process have the directory. */
  @Override
  public void close() {
    owned.close();
  }
}
