package io.moonpool.app.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/architecture/packages.md} lists every package. */
class PackagesPageTest {
  private static final List<String> MODULES =
      List.of(
          "src/model",
          "src/core",
          "src/protocol",
          "native",
          "src/storage",
          "src/transfer",
          "src/client",
          "src/bench",
          "verticles/master",
          "verticles/gateway",
          "verticles/node",
          "verticles/app");

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*\\*(.*?)\\*/");
  private static final Pattern TAG = Pattern.compile("\\{@(?:link|code)\\s+([^}]*)}");

  @Test
  void isThatOfTheSources() throws IOException {
    StringBuilder table = new StringBuilder();
    for (String module : MODULES) {
      table.append("## ").append(module).append("\n\n| package | |\n|---|---|\n");
      Path sources = Pages.ROOT.resolve(module).resolve("src/main/java");
      try (Stream<Path> walk = Files.walk(sources)) {
        for (Path file :
            walk.filter(path -> path.endsWith("package-info.java")).sorted().toList()) {
          String name = sources.relativize(file.getParent()).toString().replace('/', '.');
          table
              .append("| [`")
              .append(name)
              .append("`](../../")
              .append(Pages.ROOT.relativize(file))
              .append(") | ")
              .append(firstParagraph(Files.readString(file)))
              .append(" |\n");
        }
      }
      table.append('\n');
    }
    GeneratedPart part = GeneratedPart.of("docs/architecture/packages.md", "packages");
    if (GeneratedPart.isWriting()) {
      part.mustBe(table.toString());
    }
    assertThat(packages(part.text())).isEqualTo(packages(table.toString()));
  }

  /** The rows without their texts: who rewords a package need not touch the page. */
  private static List<String> packages(String table) {
    return table.lines().map(row -> row.replaceFirst("(package-info.java\\)) .*", "$1")).toList();
  }

  /** What a package says of itself before details begin, as one line of a table. */
  static String firstParagraph(String source) {
    Matcher comment = COMMENT.matcher(source);
    assertThat(comment.find()).as(source).isTrue();
    String text =
        comment.group(1).replaceAll("(?m)^\\s*\\* ?", "").replaceFirst("(?s)\n<p>.*|<table>.*", "");
    return TAG.matcher(text)
        .replaceAll(found -> "`" + simple(found.group(1)) + "`")
        .replaceAll("<[^>]*>", "")
        .replace("|", "\\|")
        .replaceAll("\\s+", " ")
        .strip();
  }

  /** Of the name of a class the last part. */
  private static String simple(String name) {
    return name.matches("[a-z.]+\\.[A-Z].*") ? name.replaceFirst("^([a-z0-9]+\\.)+", "") : name;
  }
}
