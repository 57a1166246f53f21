import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions.Style;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    Formatter formatter = new Formatter();
    int wrong = 0;
    for (String sourceRoot : SOURCE_ROOTS) {
      Path start = root.resolve(sourceRoot);
      if (!Files.isDirectory(start)) {
        continue;
      }
      List<Path> files;
      try (Stream<Path> walk = Files.walk(start)) {
        files =
            walk.filter(p -> p.toString().endsWith(".java"))
                .filter(p -> !root.relativize(p).toString().matches("(.*/)?target/.*"))
                .sorted()
                .toList();
      }
      for (Path file : files) {
        String before = Files.readString(file);
        try {
          String after =
              formatter.formatSource(
                  RemoveUnusedImports.removeUnusedImports(
                      ImportOrderer.reorderImports(before, Style.GOOGLE)));
          if (!after.equals(before)) {
            wrong++;
            if (fix) {
              Files.writeString(file, after);
            }
            System.err.println((fix ? "formatted " : "not formatted: ") + root.relativize(file));
          }
        } catch (FormatterException e) {
          wrong++;
          System.err.println("does not parse: " + root.relativize(file) + ": " + e.getMessage());
        }
      }
    }
    if (wrong > 0 && !fix) {
      System.err.println(
          wrong + " files are not formatted; run ./mvnw -N process-sources -Dformat=fix");
      System.exit(1);
    }
  }
}
