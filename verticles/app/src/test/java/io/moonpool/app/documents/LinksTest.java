package io.moonpool.app.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links of the pages lead somewhere: files and folders that are there, headings that they have. */
class LinksTest {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```\\s*?$");
  private static final Pattern CODE = Pattern.compile("`[^`\n]*`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^()\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?)#*\\s*$");
  private static final Pattern PICTURE = Pattern.compile("!\\[([^\\]]*)\\]\\(([^()\\s]+)\\)");
  private static final long PICTURE_BYTES = 300 << 10;

  /** The anchors of a page, as the sites that show Markdown make them from its headings. */
  static Set<String> anchors(String text) {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> times = new HashMap<>();
    Matcher headings = HEADING.matcher(BLOCK.matcher(text).replaceAll(""));
    while (headings.find()) {
      String anchor =
          headings
              .group(1)
              .strip()
              .toLowerCase(Locale.ROOT)
              .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
              .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
              .replace(' ', '-');
      int before = times.merge(anchor, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? anchor : anchor + "-" + before);
    }
    return anchors;
  }

  /** The links of a page that lead nowhere, each with the reason. */
  static List<String> broken(Path page) throws IOException {
    String text = Files.readString(page);
    List<String> broken = new ArrayList<>();
    String prose = CODE.matcher(BLOCK.matcher(text).replaceAll("")).replaceAll("`code`");
    for (String link : LINK.matcher(prose).results().map(found -> found.group(1)).toList()) {
      if (link.matches("[a-z]+:.*")) {
        continue;
      }
      int hash = link.indexOf('#');
      String file = hash < 0 ? link : link.substring(0, hash);
      Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
      if (!Files.exists(target)) {
        broken.add(link + ": there is no " + file);
      } else if (hash >= 0
          && !anchors(Files.readString(target)).contains(link.substring(hash + 1))) {
        broken.add(link + ": no heading of it makes this anchor");
      }
    }
    return broken;
  }

  @Test
  void allLead() throws IOException {
    List<String> broken = new ArrayList<>();
    int pages = 0;
    for (Path page : Pages.all()) {
      broken(page).forEach(link -> broken.add(Pages.ROOT.relativize(page) + ": " + link));
      pages++;
    }
    assertThat(broken).isEmpty();
    assertThat(pages).isGreaterThan(15);
  }

  @Test
  void picturesAreDescribedAndSmall() throws IOException {
    int pictures = 0;
    for (Path page : Pages.all()) {
      for (MatchResult picture : PICTURE.matcher(Files.readString(page)).results().toList()) {
        assertThat(picture.group(1)).as("%s: %s", page, picture.group(2)).isNotBlank();
        assertThat(Files.size(page.resolveSibling(picture.group(2))))
            .as("%s", picture.group(2))
            .isLessThan(PICTURE_BYTES);
        pictures++;
      }
    }
    assertThat(pictures).isPositive();
  }

  /** Each page of docs can be reached from the README, in as many steps as it takes. */
  @Test
  void noPageIsAlone() throws IOException {
    Set<Path> reached = new HashSet<>();
    List<Path> open = new ArrayList<>(List.of(Pages.ROOT.resolve("README.md")));
    while (!open.isEmpty()) {
      Path page = open.removeLast();
      if (!Files.isRegularFile(page) || !page.toString().endsWith(".md") || !reached.add(page)) {
        continue;
      }
      LINK.matcher(Files.readString(page))
          .results()
          .map(found -> found.group(1).replaceAll("#.*", ""))
          .filter(link -> !link.isEmpty() && !link.contains(":"))
          .forEach(link -> open.add(page.resolveSibling(link).normalize()));
    }
    assertThat(reached).containsAll(Pages.all());
  }

  @Test
  void aBrokenLinkIsFound(@org.junit.jupiter.api.io.TempDir Path folder) throws IOException {
    Path page =
        Files.writeString(
            folder.resolve("a.md"),
            """
            # One `two` & three
            [good](#one-two--three) [bad](#four) [gone](b.md) [elsewhere](https://example.org/x)
            ```
            [not a link](c.md)
            ```
            `[nor this](d.md)`
            """);
    assertThat(broken(page))
        .containsExactly("#four: no heading of it makes this anchor", "b.md: there is no b.md");
  }
}
