import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions.Style;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Checks ({@code check}) or rewrites ({@code fix}) the format of every Java source below a folder.
 */
public final class Format {
  private static final List<String> SOURCE_ROOTS = List.of("src", "verticles", "native", ".mvn");

  public static void main(String[] args) throws IOException {
    boolean fix = args[0].equals("fix");
    if (args[0].equals("skip")) {
      return;
    }
    Path root = Path.of(args[1]);
    // What was found well formatted, as "size mtime path": unchanged files are not read again.
    Path memory = root.resolve("target/formatted.txt");
    Set<String> known = Files.exists(memory) ? new HashSet<>(Files.readAllLines(memory)) : Set.of();
    Set<String> good = new TreeSet<>();
    Formatter formatter = new Formatter();
    int wrong = 0;
    for (Path file : sources(root)) {
      if (known.contains(signature(root, file))) {
        good.add(signature(root, file));
        continue;
      }
      String before = Files.readString(file);
      try {
        String ordered = ImportOrderer.reorderImports(before, Style.GOOGLE);
        String after = formatter.formatSource(RemoveUnusedImports.removeUnusedImports(ordered));
        if (!after.equals(before)) {
          System.err.println((fix ? "formatted " : "not formatted: ") + root.relativize(file));
          if (!fix) {
            wrong++;
            continue;
          }
          Files.writeString(file, after);
        }
        good.add(signature(root, file));
      } catch (FormatterException e) {
        wrong++;
        System.err.println("does not parse: " + root.relativize(file) + ": " + e.getMessage());
      }
    }
    Files.createDirectories(memory.getParent());
    Files.write(memory, good);
    if (wrong > 0 && !fix) {
      System.err.println(
          wrong + " files are not formatted; run ./mvnw -N process-sources -Dformat=fix");
      System.exit(1);
    }
  }

  private static List<Path> sources(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String sourceRoot : SOURCE_ROOTS) {
      Path start = root.resolve(sourceRoot);
      if (!Files.isDirectory(start)) {
        continue;
      }
      try (Stream<Path> walk = Files.walk(start)) {
        walk.filter(p -> p.toString().endsWith(".java"))
            .filter(p -> !root.relativize(p).toString().matches("(.*/)?target/.*"))
            .sorted()
            .forEach(files::add);
      }
    }
    return files;
  }

  private static String signature(Path root, Path file) throws IOException {
    return Files.size(file)
        + " "
        + Files.getLastModifiedTime(file).toMillis()
        + " "
        + root.relativize(file);
  }
}
