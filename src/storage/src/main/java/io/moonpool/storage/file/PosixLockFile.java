package io.moonpool.storage.file;

import io.moonpool.libc.PosixFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A lock that belongs to the open file, not to the process: a second attempt of the same process is
 * refused too, and closing that one takes nothing away from the first.
 */
final class PosixLockFile implements LockFile {
  private static final int MAX_TEXT_BYTES = 64;

  private final PosixFile file;
  private final Path path;

  PosixLockFile(PosixFile file, Path path) {
    this.file = file;
    this.path = path;
  }

  @Override
  public boolean tryLock() throws FileException {
    return PosixFileLayer.call(FileOperation.LOCK, path, file::tryLock);
  }

  @Override
  public String text() throws FileException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(MAX_TEXT_BYTES);
      long got = PosixFileLayer.call(FileOperation.READ, path, () -> file.read(buffer, 0));
      byte[] bytes = buffer.asSlice(0, got).toArray(ValueLayout.JAVA_BYTE);
      return new String(bytes, StandardCharsets.UTF_8).strip();
    }
  }

  @Override
  public void setText(String text) throws FileException {
    // Overwritten in place and padded: that works on a full disk too.
    byte[] bytes = new byte[MAX_TEXT_BYTES];
    Arrays.fill(bytes, (byte) ' ');
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(utf8, 0, bytes, 0, Math.min(utf8.length, MAX_TEXT_BYTES));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      PosixFileLayer.run(FileOperation.WRITE, path, () -> file.write(buffer, 0));
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
