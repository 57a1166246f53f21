package io.moonpool.libc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How much memory the machine, or the container this process is in, can still give. Asking first
 * turns a process that the kernel kills for want of memory into an error that says so.
 */
public final class AvailableMemory {
  private static final Path MEMINFO = Path.of("/proc/meminfo");
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

  private AvailableMemory() {}

  /**
   * Checks that memory is there now; it does not reserve it.
   *
   * @throws OutOfSpaceException when it is not
   */
  public static void require(long bytes) {
    long available = bytes();
    if (bytes > available) {
      throw OutOfSpaceException.exceeds(bytes, available);
    }
  }

  /** Bytes that can still be had; {@link Long#MAX_VALUE} when the kernel does not tell. */
  public static long bytes() {
    return Math.min(ofMachine(), ofCgroup());
  }

  private static long ofMachine() {
    try {
      for (String line : Files.readAllLines(MEMINFO)) {
        if (line.startsWith("MemAvailable:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
      }
    } catch (IOException | NumberFormatException e) {
      // No such file, or another format: not known.
    }
    return Long.MAX_VALUE;
  }

  /** What is left of the smallest limit between this process's group and the root. */
  private static long ofCgroup() {
    long least = Long.MAX_VALUE;
    try {
      List<String> lines = Files.readAllLines(Path.of("/proc/self/cgroup"));
      for (String line : lines) {
        if (line.startsWith("0::/")) {
          Path group = CGROUPS.resolve(line.substring("0::/".length())).normalize();
          for (; group != null && group.startsWith(CGROUPS); group = group.getParent()) {
            least = Math.min(least, left(group));
          }
        }
      }
    } catch (IOException e) {
      // No control groups.
    }
    return least;
  }

  private static long left(Path group) {
    try {
      String max = Files.readString(group.resolve("memory.max")).trim();
      if (max.equals("max")) {
        return Long.MAX_VALUE;
      }
      long used = Long.parseLong(Files.readString(group.resolve("memory.current")).trim());
      return Math.max(0, Long.parseLong(max) - used + reclaimable(group));
    } catch (IOException | NumberFormatException e) {
      return Long.MAX_VALUE; // The root group has no such files.
    }
  }

  /** Page cache that the kernel gives up when memory is wanted. */
  private static long reclaimable(Path group) throws IOException {
    for (String line : Files.readAllLines(group.resolve("memory.stat"))) {
      if (line.startsWith("inactive_file ")) {
        return Long.parseLong(line.substring("inactive_file ".length()));
      }
    }
    return 0;
  }
}
