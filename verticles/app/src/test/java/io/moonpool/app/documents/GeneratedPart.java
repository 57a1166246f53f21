package io.moonpool.app.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A part of a page that is made from the code: what is between {@code <!-- begin generated: NAME
 * -->} and {@code <!-- end generated: NAME -->}. With {@code -Dmoonpool.reference=write} it is
 * written instead of compared.
 */
public final class GeneratedPart {
  private static final Path ROOT = Path.of(System.getProperty("moonpool.root"));
  private static final boolean WRITE = "write".equals(System.getProperty("moonpool.reference"));

  private final Path page;
  private final String begin;
  private final String end;

  private GeneratedPart(Path page, String begin, String end) {
    this.page = page;
    this.begin = begin;
    this.end = end;
  }

  /**
   * A part.
   *
   * @param page from the root of the project
   */
  public static GeneratedPart of(String page, String name) {
    return new GeneratedPart(
        ROOT.resolve(page),
        "<!-- begin generated: " + name + " -->\n",
        "<!-- end generated: " + name + " -->");
  }

  /** Whether parts are written instead of compared in this run. */
  public static boolean isWriting() {
    return WRITE;
  }

  /** What the page has now. */
  public String text() throws IOException {
    String text = Files.readString(page);
    assertThat(text).as("%s", page).containsOnlyOnce(begin).containsOnlyOnce(end);
    return text.substring(text.indexOf(begin) + begin.length(), text.indexOf(end));
  }

  /** Fails when the part is another text. */
  public void mustBe(String expected) throws IOException {
    String text = Files.readString(page);
    assertThat(text).as("%s", page).containsOnlyOnce(begin).containsOnlyOnce(end);
    int from = text.indexOf(begin) + begin.length();
    int to = text.indexOf(end);
    if (WRITE) {
      Files.writeString(page, text.substring(0, from) + expected + text.substring(to));
      return;
    }
    assertThat(text.substring(from, to))
        .as("%s, %s: run with -Dmoonpool.reference=write after a change that is meant", page, begin)
        .isEqualTo(expected);
  }
}
