package io.moonpool.app.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Java on a page is a part of a program that a test compiles and runs. */
class ExcerptsTest {
  private static final Path ROOT = Path.of(System.getProperty("moonpool.root"));

  @ParameterizedTest
  @CsvSource({
    "README.md, EmbedClient.java, connect",
    "README.md, EmbedClient.java, put and get",
    "docs/grpc.md, DescribeOverGrpc.java, describe",
    "docs/event-bus.md, DrainWatcher.java, watch"
  })
  void isThatOfTheExample(String page, String file, String excerpt) throws IOException {
    String source = Files.readString(ROOT.resolve("docs/examples").resolve(file));
    String begin = "// begin: " + excerpt + "\n";
    assertThat(source).containsOnlyOnce(begin).containsOnlyOnce("// end: " + excerpt + "\n");
    String code =
        source.substring(
            source.indexOf(begin) + begin.length(), source.indexOf("// end: " + excerpt));
    GeneratedPart.of(page, excerpt).mustBe("```java\n" + code.stripIndent().strip() + "\n```\n");
  }

  /** No page has Java that nobody compiles. */
  @Test
  void allJavaIsGenerated() throws IOException {
    List<Path> pages = Pages.all();
    for (Path page : pages) {
      String rest =
          Files.readString(page)
              .replaceAll(
                  "(?s)<!-- begin generated: ([^>]*) -->.*?<!-- end generated: \\1 -->", "");
      assertThat(rest).as("%s", page).doesNotContain("```java");
    }
  }
}
