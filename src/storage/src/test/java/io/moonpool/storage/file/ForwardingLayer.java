package io.moonpool.storage;

import io.moonpool.libc.FileSystemSpace;
import io.moonpool.storage.file.FileEntry;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.FileLayer;
import io.moonpool.storage.file.LockFile;
import io.moonpool.storage.file.OpenFile;
import java.nio.file.Path;
import java.util.List;

/** Hands everything on. */
class ForwardingLayer implements FileLayer {
  private final FileLayer next;

  ForwardingLayer(FileLayer next) {
    this.next = next;
  }

  @Override
  public OpenFile create(Path file, boolean direct) throws FileException {
    return next.create(file, direct);
  }

  @Override
  public OpenFile open(Path file, boolean direct) throws FileException {
    return next.open(file, direct);
  }

  @Override
  public void rename(Path from, Path to) throws FileException {
    next.rename(from, to);
  }

  @Override
  public void delete(Path file) throws FileException {
    next.delete(file);
  }

  @Override
  public void createDirectories(Path directory) throws FileException {
    next.createDirectories(directory);
  }

  @Override
  public void syncDirectory(Path directory) throws FileException {
    next.syncDirectory(directory);
  }

  @Override
  public List<FileEntry> list(Path directory) throws FileException {
    return next.list(directory);
  }

  @Override
  public FileSystemSpace space(Path directory) throws FileException {
    return next.space(directory);
  }

  @Override
  public LockFile openLock(Path file) throws FileException {
    return next.openLock(file);
  }
}
