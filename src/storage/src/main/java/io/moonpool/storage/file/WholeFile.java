package io.moonpool.storage.file;

import io.moonpool.libc.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/** Small files that are read and written as a whole. */
public final class WholeFile {
  private WholeFile() {}

  /**
   * Reads a file of at most 2 GiB.
   *
   * @throws FileException when it is not there ({@code ENOENT}), and otherwise
   */
  public static byte[] read(FileLayer layer, Path file) throws FileException {
    try (OpenFile open = layer.open(file, false);
        Arena arena = Arena.ofConfined()) {
      long size = open.size();
      if (size > Integer.MAX_VALUE - 8) {
        throw new FileException(
            FileOperation.READ, file, Errno.EFBIG, size + " bytes are too many for this file");
      }
      MemorySegment buffer = arena.allocate(Math.max(1, size));
      long got = open.read(buffer.asSlice(0, size), 0);
      return buffer.asSlice(0, got).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /**
   * Writes a file that is complete or absent, whenever the power goes: aside, synced, renamed, its
   * directory synced. Replaces what was there.
   */
  public static void replace(FileLayer layer, Path file, byte[] bytes) throws FileException {
    Path aside = file.resolveSibling(file.getFileName() + ".tmp");
    deleteIfThere(layer, aside);
    try {
      write(layer, aside, bytes);
      layer.rename(aside, file);
    } catch (FileException e) {
      try {
        deleteIfThere(layer, aside); // a full disk needs the space
      } catch (FileException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
    Path parent = file.getParent();
    layer.syncDirectory(parent == null ? Path.of("") : parent);
  }

  private static void write(FileLayer layer, Path file, byte[] bytes) throws FileException {
    try (OpenFile open = layer.create(file, false);
        Arena arena = Arena.ofConfined()) {
      open.write(arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes), 0);
      open.sync();
    }
  }

  /** Deletes a file; nothing happens when it is not there. */
  public static void deleteIfThere(FileLayer layer, Path file) throws FileException {
    try {
      layer.delete(file);
    } catch (FileException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
  }
}
