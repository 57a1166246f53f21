package io.moonpool.storage.directory;

import io.moonpool.libc.Errno;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.FileLayer;
import io.moonpool.storage.file.LockFile;
import io.moonpool.storage.file.WholeFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A directory that one process at a time owns, with an id that stays: the lock file {@code lock}
 * names the owner's process, the id file is complete or absent. Blocks; any thread may open and
 * close.
 */
public final class OwnedDirectory implements AutoCloseable {
  private static final String LOCK_FILE = "lock";

  private final LockFile lock;
  private final Path path;
  private final UUID id;

  private OwnedDirectory(LockFile lock, Path path, UUID id) {
    this.lock = lock;
    this.path = path;
    this.id = id;
  }

  /**
   * Creates the directory when needed, locks it, and reads or chooses its id.
   *
   * @param setting the setting that named the directory, for messages
   * @param idFile the name of the file with the id
   * @throws StoreException {@code FILE_LOCK_FAIL} when a process has it, and says which; {@code
   *     FILE_READ_FAIL} when the id file is damaged; {@code FILE_OPEN_FAIL} when it cannot be used
   */
  public static OwnedDirectory open(
      FileLayer layer, Path directory, String setting, String idFile) {
    Path path = directory.toAbsolutePath().normalize();
    LockFile lock = null;
    try {
      layer.createDirectories(path);
      lock = layer.openLock(path.resolve(LOCK_FILE));
      if (!lock.tryLock()) {
        String owner = lock.text();
        throw new StoreException(
            ErrorCode.FILE_LOCK_FAIL,
            setting
                + " "
                + path
                + " belongs to the running process "
                + (owner.isEmpty() ? "of an unknown pid" : owner)
                + ": stop it, or give this process a directory of its own");
      }
      lock.setText(Long.toString(ProcessHandle.current().pid()));
      OwnedDirectory opened = new OwnedDirectory(lock, path, id(layer, path.resolve(idFile)));
      lock = null;
      return opened;
    } catch (FileException e) {
      throw new StoreException(
          ErrorCode.FILE_OPEN_FAIL,
          setting
              + " "
              + path
              + " cannot be used: "
              + e.getMessage()
              + "; name a directory that this user may write to");
    } finally {
      if (lock != null) {
        lock.close();
      }
    }
  }

  private static UUID id(FileLayer layer, Path file) throws FileException {
    byte[] bytes;
    try {
      bytes = WholeFile.read(layer, file);
    } catch (FileException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
      UUID chosen = UUID.randomUUID();
      WholeFile.replace(layer, file, (chosen + "\n").getBytes(StandardCharsets.US_ASCII));
      return chosen;
    }
    String text = new String(bytes, StandardCharsets.UTF_8).strip();
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new StoreException(
          ErrorCode.FILE_READ_FAIL,
          file
              + " holds no id but '"
              + text
              + "': restore it, or name an empty directory to go on under a new identity");
    }
  }

  /** The absolute path. */
  public Path path() {
    return path;
  }

  /** The id that was chosen when the directory was first opened. */
  public UUID id() {
    return id;
  }

  /** Lets the next process have the directory. */
  @Override
  public void close() {
    lock.close();
  }
}
