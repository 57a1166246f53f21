package io.moonpool.storage.file;

import java.lang.foreign.MemorySegment;

/** Hands everything on. */
public class ForwardingFile implements OpenFile {
  private final OpenFile next;

  protected ForwardingFile(OpenFile next) {
    this.next = next;
  }

  @Override
  public long read(MemorySegment into, long position) throws FileException {
    return next.read(into, position);
  }

  @Override
  public void write(MemorySegment from, long position) throws FileException {
    next.write(from, position);
  }

  @Override
  public void reserve(long position, long length) throws FileException {
    next.reserve(position, length);
  }

  @Override
  public void sync() throws FileException {
    next.sync();
  }

  @Override
  public void dropCache() {
    next.dropCache();
  }

  @Override
  public long size() throws FileException {
    return next.size();
  }

  @Override
  public boolean direct() {
    return next.direct();
  }

  @Override
  public void close() {
    next.close();
  }
}
