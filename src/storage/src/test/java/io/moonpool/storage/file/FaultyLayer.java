package io.moonpool.storage.file;

import io.moonpool.libc.Errno;
import io.moonpool.libc.FileSystemSpace;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The real file system, failing where a test wants it to. */
public final class FaultyLayer extends ForwardingLayer {
  private final List<Fault> faults = new CopyOnWriteArrayList<>();

  /** Everything works. */
  public FaultyLayer() {
    super(new PosixFileLayer());
  }

  /** An operation on files whose names contain a text fails with an error. */
  private record Fault(FileOperation operation, String name, Errno errno, boolean directOnly) {}

  /** Lets an operation fail until {@link #heal}. */
  public void fail(FileOperation operation, String name, Errno errno) {
    faults.add(new Fault(operation, name, errno, false));
  }

  /** Lets it fail for files that go around the page cache. */
  public void failDirect(FileOperation operation, String name, Errno errno) {
    faults.add(new Fault(operation, name, errno, true));
  }

  /** Lets everything work again. */
  public void heal() {
    faults.clear();
  }

  private void check(FileOperation operation, Path path, boolean direct) throws FileException {
    for (Fault fault : faults) {
      if (fault.operation() == operation
          && path.toString().contains(fault.name())
          && (direct || !fault.directOnly())) {
        throw new FileException(operation, path, fault.errno(), "injected");
      }
    }
  }

  @Override
  public OpenFile create(Path file, boolean direct) throws FileException {
    check(FileOperation.CREATE, file, direct);
    return new Handle(super.create(file, direct), file);
  }

  @Override
  public OpenFile open(Path file, boolean direct) throws FileException {
    check(FileOperation.OPEN, file, direct);
    return new Handle(super.open(file, direct), file);
  }

  @Override
  public void rename(Path from, Path to) throws FileException {
    check(FileOperation.RENAME, from, false);
    super.rename(from, to);
  }

  @Override
  public void delete(Path file) throws FileException {
    check(FileOperation.DELETE, file, false);
    super.delete(file);
  }

  @Override
  public void syncDirectory(Path directory) throws FileException {
    check(FileOperation.SYNC, directory, false);
    super.syncDirectory(directory);
  }

  @Override
  public List<FileEntry> list(Path directory) throws FileException {
    check(FileOperation.LIST, directory, false);
    return new ArrayList<>(super.list(directory));
  }

  @Override
  public FileSystemSpace space(Path directory) throws FileException {
    check(FileOperation.SPACE, directory, false);
    return super.space(directory);
  }

  private final class Handle extends ForwardingFile {
    private final Path path;

    Handle(OpenFile file, Path path) {
      super(file);
      this.path = path;
    }

    @Override
    public long read(MemorySegment into, long position) throws FileException {
      check(FileOperation.READ, path, direct());
      return super.read(into, position);
    }

    @Override
    public void write(MemorySegment from, long position) throws FileException {
      check(FileOperation.WRITE, path, direct());
      super.write(from, position);
    }

    @Override
    public void sync() throws FileException {
      check(FileOperation.SYNC, path, direct());
      super.sync();
    }
  }
}
