package io.moonpool.storage.file;

import io.moonpool.libc.Errno;
import io.moonpool.libc.FileSystemSpace;
import io.moonpool.libc.LibcException;
import io.moonpool.libc.PosixFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** The real file system, through the C library. Has no state: any thread may use it. */
public final class PosixFileLayer implements FileLayer {
  @Override
  public OpenFile create(Path file, boolean direct) throws FileException {
    return new PosixOpenFile(
        call(FileOperation.CREATE, file, () -> PosixFile.create(file.toString(), direct)),
        file,
        direct);
  }

  @Override
  public OpenFile open(Path file, boolean direct) throws FileException {
    return new PosixOpenFile(
        call(FileOperation.OPEN, file, () -> PosixFile.openForReading(file.toString(), direct)),
        file,
        direct);
  }

  @Override
  public void rename(Path from, Path to) throws FileException {
    run(FileOperation.RENAME, from, () -> PosixFile.rename(from.toString(), to.toString()));
  }

  @Override
  public void delete(Path file) throws FileException {
    run(FileOperation.DELETE, file, () -> PosixFile.delete(file.toString()));
  }

  @Override
  public void createDirectories(Path directory) throws FileException {
    Path absolute = directory.toAbsolutePath();
    if (Files.isDirectory(absolute)) {
      return;
    }
    Path parent = absolute.getParent();
    if (parent != null) {
      createDirectories(parent);
    }
    try {
      run(FileOperation.CREATE, absolute, () -> PosixFile.createDirectory(absolute.toString()));
    } catch (FileException e) {
      if (e.errno() == Errno.EEXIST && Files.isDirectory(absolute)) {
        return; // somebody else was faster
      }
      throw e;
    }
    if (parent != null) {
      syncDirectory(parent);
    }
  }

  @Override
  public void syncDirectory(Path directory) throws FileException {
    run(
        FileOperation.SYNC,
        directory,
        () -> {
          try (PosixFile open = PosixFile.openDirectory(directory.toString())) {
            open.sync();
          }
        });
  }

  @Override
  public List<FileEntry> list(Path directory) throws FileException {
    List<FileEntry> entries = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        try {
          BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
          entries.add(
              new FileEntry(
                  String.valueOf(file.getFileName()),
                  is.isDirectory() ? 0 : is.size(),
                  is.isDirectory()));
        } catch (NoSuchFileException e) {
          // Vanished meanwhile: it is not in the directory.
        }
      }
    } catch (DirectoryIteratorException e) {
      IOException cause = e.getCause();
      throw failure(FileOperation.LIST, directory, cause == null ? new IOException(e) : cause);
    } catch (IOException e) {
      throw failure(FileOperation.LIST, directory, e);
    }
    return entries;
  }

  @Override
  public FileSystemSpace space(Path directory) throws FileException {
    return call(FileOperation.SPACE, directory, () -> PosixFile.space(directory.toString()));
  }

  @Override
  public LockFile openLock(Path file) throws FileException {
    return new PosixLockFile(
        call(FileOperation.OPEN, file, () -> PosixFile.openOrCreate(file.toString())), file);
  }

  private static FileException failure(FileOperation operation, Path file, IOException e) {
    Errno errno =
        switch (e) {
          case NoSuchFileException absent -> Errno.ENOENT;
          case AccessDeniedException denied -> Errno.EACCES;
          default -> Errno.EIO;
        };
    return new FileException(operation, file, errno, String.valueOf(e));
  }

  /** A call that gives a value. */
  interface Call<T> {
    T make();
  }

  /** Turns the failure of a call into one that names operation and file. */
  static <T> T call(FileOperation operation, Path file, Call<T> call) throws FileException {
    try {
      return call.make();
    } catch (LibcException e) {
      throw new FileException(operation, file, e.errno(), String.valueOf(e.getMessage()));
    }
  }

  static void run(FileOperation operation, Path file, Runnable call) throws FileException {
    try {
      call.run();
    } catch (LibcException e) {
      throw new FileException(operation, file, e.errno(), String.valueOf(e.getMessage()));
    }
  }
}
