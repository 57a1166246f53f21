package io.moonpool.master.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A page of the documentation, parts of which come from the code. A test that finds them different
 * fails, or rewrites them when it is run with {@code -Dmoonpool.reference=write}.
 */
public final class Document {
  static final Path ROOT = Path.of(System.getProperty("moonpool.root"));
  static final boolean WRITE = "write".equals(System.getProperty("moonpool.reference"));

  private final Path file;

  /** The page of that name in {@code docs/}. */
  public Document(String name) {
    file = ROOT.resolve("docs").resolve(name);
  }

  String text() {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Expects that the page is that text. */
  void mustBe(String expected) {
    if (WRITE) {
      try {
        Files.writeString(file, expected);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    assertThat(text()).isEqualTo(expected);
  }

  /** Expects that the part of that name is that text. */
  public void partMustBe(String name, String expected) {
    String text = text();
    String begin = "<!-- begin generated: " + name + " -->\n";
    String end = "<!-- end generated: " + name + " -->";
    assertThat(text).contains(begin, end);
    int from = text.indexOf(begin) + begin.length();
    mustBe(text.substring(0, from) + expected + text.substring(text.indexOf(end)));
  }
}
