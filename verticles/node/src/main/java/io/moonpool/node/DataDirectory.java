package io.moonpool.node;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The directory that makes a node the same node after a restart: it holds the node's id, and a lock
 * that one process at a time can have. Blocks: for a worker.
 */
final class DataDirectory implements AutoCloseable {
  private static final String LOCK_FILE = "lock";
  private static final String ID_FILE = "node-id";

  private final FileChannel channel;
  private final FileLock lock;
  private final UUID nodeId;

  private DataDirectory(FileChannel channel, FileLock lock, UUID nodeId) {
    this.channel = channel;
    this.lock = lock;
    this.nodeId = nodeId;
  }

  /**
   * Creates the directory when needed, locks it, and reads or chooses the node's id.
   *
   * @throws StoreException when another process has it or it cannot be used
   */
  @SuppressWarnings("MustBeClosedChecker") // closed with this, or below when the start fails
  static DataDirectory open(Path directory) {
    FileChannel channel = null;
    try {
      Files.createDirectories(directory);
      channel =
          FileChannel.open(
              directory.resolve(LOCK_FILE),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      FileLock lock = lock(channel, directory);
      writeOwner(channel);
      DataDirectory opened = new DataDirectory(channel, lock, nodeId(directory));
      channel = null;
      return opened;
    } catch (AccessDeniedException | FileAlreadyExistsException e) {
      throw new StoreException(
          ErrorCode.FILE_OPEN_FAIL,
          "data_dir "
              + directory.toAbsolutePath()
              + " cannot be used: "
              + e
              + "; name a directory that this user may write to");
    } catch (IOException e) {
      throw new StoreException(
          ErrorCode.FILE_OPEN_FAIL,
          "data_dir " + directory.toAbsolutePath() + " cannot be used: " + e);
    } finally {
      closeQuietly(channel);
    }
  }

  private static FileLock lock(FileChannel channel, Path directory) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null; // this very process has it
    }
    if (lock == null) {
      throw new StoreException(
          ErrorCode.FILE_LOCK_FAIL,
          "data_dir "
              + directory.toAbsolutePath()
              + " belongs to the running process "
              + readOwner(channel)
              + ": stop it, or give this node a directory of its own");
    }
    return lock;
  }

  private static void writeOwner(FileChannel channel) throws IOException {
    byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(pid), 0);
  }

  private static String readOwner(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(32);
    channel.read(text, 0);
    String pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
    return pid.isEmpty() ? "of an unknown pid" : pid;
  }

  /** The id file is complete or absent: written aside, forced, renamed. */
  private static UUID nodeId(Path directory) throws IOException {
    Path file = directory.resolve(ID_FILE);
    if (Files.exists(file)) {
      String text = Files.readString(file).strip();
      try {
        return UUID.fromString(text);
      } catch (IllegalArgumentException e) {
        throw new StoreException(
            ErrorCode.FILE_READ_FAIL,
            file.toAbsolutePath()
                + " holds no node id but '"
                + text
                + "': restore it, or delete it to start as a new node");
      }
    }
    UUID id = UUID.randomUUID();
    Path temporary = directory.resolve(ID_FILE + ".tmp");
    try (FileChannel out =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      out.write(ByteBuffer.wrap((id + "\n").getBytes(StandardCharsets.US_ASCII)));
      out.force(true);
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel parent = FileChannel.open(directory, StandardOpenOption.READ)) {
      parent.force(true);
    }
    return id;
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The node's id. */
  UUID nodeId() {
    return nodeId;
  }

  /** Lets the next process have the directory. */
  @Override
  public void close() {
    try {
      lock.release();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      closeQuietly(channel);
    }
  }
}
