package io.moonpool.protocol.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Tables of captured bytes. */
final class Fixtures {
  private Fixtures() {}

  /** The rows of a table, without its header. */
  static List<String[]> rows(String name) {
    try (InputStream in = Fixtures.class.getResourceAsStream("/wire/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .skip(1)
          .map(line -> line.split("\t", -1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
