package io.moonpool.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules hold for all classes of all modules. */
class ArchitectureTest {
  private static final Path ROOT = Path.of(System.getProperty("moonpool.root"));
  private static JavaClasses everything;

  @BeforeAll
  static void importClasses() {
    everything =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.moonpool");
  }

  static Set<String> rules() {
    return ArchitectureRules.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void holds(String rule) {
    // A module without classes yet is no violation; a rule that sees nothing at all is a bug, which
    // the planted violations would show.
    ArchitectureRules.all().get(rule).allowEmptyShould(true).check(everything);
  }

  @Test
  void allModulesAreSeen() {
    for (String name :
        List.of(
            "model",
            "core",
            "protocol",
            "libc",
            "storage",
            "transfer",
            "client",
            "master",
            "node",
            "app")) {
      assertThat(everything)
          .as(name)
          .anyMatch(item -> item.getPackageName().startsWith("io.moonpool." + name));
    }
  }

  @Test
  void everyPackageSaysInItsCommentWhatItIsFor() throws IOException {
    List<Path> infos;
    try (Stream<Path> walk = Files.walk(ROOT)) {
      infos =
          walk.filter(file -> file.endsWith("package-info.java"))
              .filter(file -> ROOT.relativize(file).toString().contains("src/main/"))
              .filter(file -> !ROOT.relativize(file).toString().contains("target/"))
              .toList();
    }
    assertThat(infos).isNotEmpty();
    for (Path info : infos) {
      assertThat(Files.readString(info)).as(info.toString()).matches("(?s)/\\*\\*.{40,}\\*/.*");
    }
  }
}
