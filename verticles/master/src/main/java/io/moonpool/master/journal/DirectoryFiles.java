package io.moonpool.master.journal;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** The files of a journal in a directory that one process at a time has. */
final class DirectoryFiles implements JournalFiles {
  private static final String LOCK = "lock";

  private final Path directory;
  private final FileChannel channel;
  private final FileLock lock;

  private DirectoryFiles(Path directory, FileChannel channel, FileLock lock) {
    this.directory = directory;
    this.channel = channel;
    this.lock = lock;
  }

  /**
   * Creates the directory when needed, and locks it.
   *
   * @throws StoreException when another process has it
   */
  static DirectoryFiles open(Path directory) throws IOException {
    create(directory.toAbsolutePath());
    FileChannel channel =
        FileChannel.open(
            directory.resolve(LOCK),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      FileLock lock = lock(channel, directory);
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)),
          0);
      return new DirectoryFiles(directory, channel, lock);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Creates a directory and those above it, and makes their names durable. */
  private static void create(Path directory) throws IOException {
    Path parent = directory.getParent();
    if (parent != null && !Files.isDirectory(directory)) {
      create(parent);
      Files.createDirectories(directory);
      forceNames(parent);
    }
  }

  private static void forceNames(Path directory) throws IOException {
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
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
      ByteBuffer owner = ByteBuffer.allocate(32);
      channel.read(owner, 0);
      String pid = new String(owner.array(), 0, owner.position(), StandardCharsets.US_ASCII);
      throw new StoreException(
          ErrorCode.FILE_LOCK_FAIL,
          "the journal "
              + directory.toAbsolutePath()
              + " belongs to the running process "
              + (pid.isEmpty() ? "of an unknown pid" : pid)
              + ": stop it, or give this master a data_dir of its own");
    }
    return lock;
  }

  @Override
  public List<String> list() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Override
  public ByteBuffer read(String name) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(directory.resolve(name)));
  }

  @Override
  public Appender create(String name) throws IOException {
    return new FileAppender(
        FileChannel.open(
            directory.resolve(name),
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE));
  }

  @Override
  public Appender openAt(String name, long length) throws IOException {
    FileChannel file = FileChannel.open(directory.resolve(name), StandardOpenOption.WRITE);
    try {
      file.truncate(length);
      file.position(length);
      file.force(true);
      return new FileAppender(file);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  private record FileAppender(FileChannel file) implements Appender {
    @Override
    public void write(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    }

    @Override
    public void force() throws IOException {
      file.force(false);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(directory.resolve(name));
  }

  @Override
  public void forceNames() throws IOException {
    forceNames(directory);
  }

  @Override
  public String describe(String name) {
    return directory.resolve(name).toAbsolutePath().toString();
  }

  @Override
  public void close() throws IOException {
    try {
      lock.release();
    } finally {
      channel.close();
    }
  }
}
