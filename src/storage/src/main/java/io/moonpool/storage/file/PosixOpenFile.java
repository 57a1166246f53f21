package io.moonpool.storage.file;

import io.moonpool.libc.PosixFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** An open file of the kernel. */
final class PosixOpenFile implements OpenFile {
  private final PosixFile file;
  private final Path path;
  private final boolean direct;

  PosixOpenFile(PosixFile file, Path path, boolean direct) {
    this.file = file;
    this.path = path;
    this.direct = direct;
  }

  @Override
  public long read(MemorySegment into, long position) throws FileException {
    return PosixFileLayer.call(FileOperation.READ, path, () -> file.read(into, position));
  }

  @Override
  public void write(MemorySegment from, long position) throws FileException {
    PosixFileLayer.run(FileOperation.WRITE, path, () -> file.write(from, position));
  }

  @Override
  public void reserve(long position, long length) throws FileException {
    PosixFileLayer.run(FileOperation.WRITE, path, () -> file.reserve(position, length));
  }

  @Override
  public void sync() throws FileException {
    PosixFileLayer.run(FileOperation.SYNC, path, file::syncData);
  }

  @Override
  public void dropCache() {
    file.dropCache();
  }

  @Override
  public long size() throws FileException {
    return PosixFileLayer.call(FileOperation.READ, path, file::size);
  }

  @Override
  public boolean direct() {
    return direct;
  }

  @Override
  public void close() {
    file.close();
  }
}
