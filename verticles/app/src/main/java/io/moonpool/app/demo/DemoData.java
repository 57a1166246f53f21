package io.moonpool.app.demo;

import io.moonpool.app.demo.DemoObject.FileBytes;
import io.moonpool.app.demo.DemoObject.GeneratedBytes;
import io.moonpool.model.config.ByteSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Which objects a demo stores. */
public final class DemoData {
  private static final long SMALLEST = 4L << 10;
  private static final long LARGEST = 16L << 20;

  private DemoData() {}

  /**
   * The regular files among the given paths, folders with all that is in them. Empty files are left
   * out: objects have at least one byte.
   *
   * @param workingFolder keys are relative to it where they can be
   * @throws IOException when a path does not exist or cannot be read
   */
  public static List<DemoObject> files(List<Path> paths, Path workingFolder) throws IOException {
    Path base = workingFolder.toAbsolutePath().normalize();
    Map<Path, DemoObject> found = new LinkedHashMap<>();
    for (Path path : paths) {
      if (!Files.exists(path)) {
        throw new IOException("there is no file " + path);
      }
      List<Path> files;
      try (Stream<Path> walk = Files.walk(path)) {
        files = walk.filter(Files::isRegularFile).sorted().toList();
      }
      for (Path file : files) {
        if (!Files.isReadable(file)) {
          throw new IOException("the file " + file + " cannot be read");
        }
        Path absolute = file.toAbsolutePath().normalize();
        long size = Files.size(file);
        if (size > 0) {
          Path key = absolute.startsWith(base) ? base.relativize(absolute) : absolute;
          found.putIfAbsent(absolute, new FileBytes(key.toString(), size, absolute));
        }
      }
    }
    return List.copyOf(found.values());
  }

  /**
   * Objects of 4 KiB to 16 MiB, small ones more often (the logarithm of the size is uniform), with
   * sizes and contents that the seed determines.
   *
   * @param totalBytes what they add up to, exactly; at least 1 when not 0
   */
  public static List<DemoObject> generated(long totalBytes, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<DemoObject> objects = new ArrayList<>();
    double span = Math.log((double) LARGEST / SMALLEST);
    long left = totalBytes;
    while (left > 0) {
      long drawn = Math.round(SMALLEST * Math.exp(random.nextDouble() * span));
      // A rest too small for an object of its own goes into this one.
      long size = left - drawn < SMALLEST ? left : drawn;
      String key = "generated/%05d-%s".formatted(objects.size(), rounded(size));
      objects.add(new GeneratedBytes(key, size, random.nextLong()));
      left -= size;
    }
    return List.copyOf(objects);
  }

  private static String rounded(long size) {
    return ByteSizes.format(size < 1L << 20 ? size & -1024 : size & -(1L << 20));
  }
}
