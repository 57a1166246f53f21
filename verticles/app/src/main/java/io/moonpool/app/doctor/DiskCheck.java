package io.moonpool.app.doctor;

import io.moonpool.libc.LibcException;
import io.moonpool.libc.PosixFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file system for a node's disk: what it is, and from which alignment on it takes unbuffered
 * writes. That is tried, with a file that is deleted at once.
 */
final class DiskCheck {
  private static final int[] ALIGNMENTS = {512, 1024, 2048, 4096};
  private static final int WANTED = 4096;
  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
  private static final String CHECK = "disk";

  private DiskCheck() {}

  /**
   * Looks at a folder.
   *
   * @param folder null when none was named
   */
  static Finding look(@Nullable Path folder) {
    if (folder == null) {
      return Finding.note(CHECK, "not looked at", "name the folder with --disk-dir");
    }
    if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
      return Finding.fail(
          CHECK, folder + " is no folder that can be written", "create it, or choose another one");
    }
    try {
      FileStore store = Files.getFileStore(folder);
      int alignment = alignment(folder);
      String found =
          folder
              + " on "
              + store.type()
              + ", "
              + MachineChecks.rounded(store.getUsableSpace())
              + " free, "
              + (alignment > 0 ? "O_DIRECT from " + alignment + " bytes on" : "no O_DIRECT");
      if (IN_MEMORY.contains(store.type())) {
        return Finding.warn(CHECK, found, "that is memory: choose a folder on an SSD");
      }
      return alignment > 0
          ? Finding.ok(CHECK, found)
          : Finding.warn(
              CHECK, found, "reads go through the page cache: use ext4 or xfs on a local disk");
    } catch (IOException | LibcException e) {
      return Finding.fail(CHECK, folder + ": " + e.getMessage(), "choose another folder");
    }
  }

  /** The least alignment that works; 0 when none up to 4,096 does. */
  private static int alignment(Path folder) throws IOException {
    Path file = folder.resolve(".moonpool-doctor-" + ProcessHandle.current().pid());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment page = arena.allocate(2L * WANTED, WANTED);
      for (int alignment : ALIGNMENTS) {
        if (takes(file, page.asSlice(alignment % WANTED, alignment), alignment)) {
          return alignment;
        }
      }
      return 0;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static boolean takes(Path file, MemorySegment bytes, long position) {
    try (PosixFile direct = PosixFile.create(file.toString(), true)) {
      if (!direct.isDirect()) {
        return false;
      }
      direct.write(bytes, position);
      return true;
    } catch (LibcException e) {
      return false;
    }
  }
}
