package io.moonpool.storage.file;

import io.moonpool.libc.FileSystemSpace;
import java.nio.file.Path;
import java.util.List;

/** Hands everything on. */
public class ForwardingLayer implements FileLayer {
  private final FileLayer next;

  protected ForwardingLayer(FileLayer next) {
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
