package io.moonpool.app.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The project's pages in Markdown. */
public final class Pages {
  static final Path ROOT = Path.of(System.getProperty("moonpool.root"));

  private Pages() {}

  /** Those of the root, of {@code docs} and of the folders of {@code conf} and {@code docker}. */
  public static List<Path> all() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> root = Files.list(ROOT)) {
      pages.addAll(root.filter(Pages::isPage).toList());
    }
    for (String folder : List.of("docs", "conf", "docker")) {
      if (Files.isDirectory(ROOT.resolve(folder))) {
        try (Stream<Path> below = Files.walk(ROOT.resolve(folder))) {
          pages.addAll(below.filter(Pages::isPage).toList());
        }
      }
    }
    return pages.stream().sorted().toList();
  }

  private static boolean isPage(Path file) {
    return file.toString().endsWith(".md") && Files.isRegularFile(file);
  }
}
