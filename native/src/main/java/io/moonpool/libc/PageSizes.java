package io.moonpool.libc;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the kernel tells about page sizes. */
final class PageSizes {
  private static final long DEFAULT_HUGE_BYTES = 2L << 20;
  private static final long HUGE_BYTES = readHugeBytes();

  private PageSizes() {}

  /** The size of a transparent huge page in bytes. */
  static long hugeBytes() {
    return HUGE_BYTES;
  }

  static long roundUp(long value, long unit) {
    return Math.addExact(value, unit - 1) / unit * unit;
  }

  static long roundDown(long value, long unit) {
    return value / unit * unit;
  }

  private static long readHugeBytes() {
    try {
      return Long.parseLong(
          Files.readString(Path.of("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size")).trim());
    } catch (IOException | NumberFormatException e) {
      return DEFAULT_HUGE_BYTES; // No huge pages: then the alignment is a little waste only.
    }
  }

  /** The page size that most of the mapping at this address has. */
  static long effective(long address) {
    try (BufferedReader smaps = Files.newBufferedReader(Path.of("/proc/self/smaps"))) {
      return effective(smaps, address);
    } catch (IOException e) {
      return Libc.PAGE_BYTES;
    }
  }

  /**
   * Finds the mapping that contains the address. Its huge pages are those that the kernel counts as
   * anonymous, as shared memory or as file pages; it "has" them when they are more than half of
   * what is resident.
   */
  static long effective(BufferedReader smaps, long address) throws IOException {
    boolean inside = false;
    long kernelPage = Libc.PAGE_BYTES;
    long resident = 0;
    long huge = 0;
    for (String line = smaps.readLine(); line != null; line = smaps.readLine()) {
      long @Nullable [] range = range(line);
      if (range != null) {
        if (inside) {
          break;
        }
        inside = range[0] <= address && address < range[1];
      } else if (inside) {
        int colon = line.indexOf(':');
        switch (colon < 0 ? "" : line.substring(0, colon)) {
          case "KernelPageSize" -> kernelPage = bytes(line, colon);
          case "Rss" -> resident = bytes(line, colon);
          case "AnonHugePages", "ShmemPmdMapped", "FilePmdMapped" -> huge += bytes(line, colon);
          default -> {
            // Other counters say nothing about page sizes.
          }
        }
      }
    }
    return huge > resident / 2 ? HUGE_BYTES : kernelPage;
  }

  /** The addresses of a header line such as {@code 7f00-7f10 rw-p ...}, or null. */
  private static long @Nullable [] range(String line) {
    int space = line.indexOf(' ');
    int dash = line.indexOf('-');
    if (dash <= 0 || space <= dash) {
      return null;
    }
    try {
      return new long[] {
        Long.parseUnsignedLong(line, 0, dash, 16), Long.parseUnsignedLong(line, dash + 1, space, 16)
      };
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static long bytes(String line, int colon) {
    String[] parts = line.substring(colon + 1).trim().split(" ", -1);
    return Long.parseLong(parts[0]) * 1024;
  }
}
