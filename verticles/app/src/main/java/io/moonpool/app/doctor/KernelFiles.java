package io.moonpool.app.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What the kernel tells in {@code /proc} and {@code /sys}.
 *
 * @param root where those are: {@code /}, or a folder of a test
 */
record KernelFiles(Path root) {
  private static final int MOST_BYTES = 64 << 10;

  /** The text of a file without the white space around it; empty when it cannot be read. */
  Optional<String> text(String path) {
    // Settings of the kernel answer the first read only, so that has to take the whole of it.
    byte[] bytes = new byte[MOST_BYTES];
    try (InputStream in = Files.newInputStream(root.resolve(path))) {
      int length = Math.max(0, in.read(bytes));
      return Optional.of(new String(bytes, 0, length, StandardCharsets.UTF_8).trim());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** A file with one number in it. */
  OptionalLong number(String path) {
    try {
      return text(path).map(Long::parseLong).map(OptionalLong::of).orElse(OptionalLong.empty());
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /** What stands behind a name and a colon in a file of such lines. */
  Optional<String> field(String path, String name) {
    return text(path)
        .flatMap(
            text ->
                text.lines()
                    .filter(line -> line.startsWith(name + ":"))
                    .map(line -> line.substring(name.length() + 1).trim())
                    .findFirst());
  }

  /**
   * The soft limit of that name in {@code /proc/self/limits}, such as {@code Max locked memory};
   * {@link Long#MAX_VALUE} when it is unlimited.
   */
  OptionalLong limit(String name) {
    Optional<String> value =
        text("proc/self/limits")
            .flatMap(
                text ->
                    text.lines()
                        .filter(line -> line.startsWith(name))
                        .map(line -> line.substring(name.length()).trim().split(" +", -1)[0])
                        .findFirst());
    if (value.isEmpty()) {
      return OptionalLong.empty();
    }
    return value.get().equals("unlimited")
        ? OptionalLong.of(Long.MAX_VALUE)
        : OptionalLong.of(Long.parseLong(value.get()));
  }

  /** The names in a folder, in order; none when there is no such folder. */
  List<String> names(String path) {
    try (Stream<Path> entries = Files.list(root.resolve(path))) {
      return entries.map(Path::getFileName).map(String::valueOf).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Of a choice such as {@code always [madvise] never}: what is chosen. */
  Optional<String> chosen(String path) {
    return text(path)
        .filter(text -> text.contains("[") && text.contains("]"))
        .map(text -> text.substring(text.indexOf('[') + 1, text.indexOf(']')));
  }
}
