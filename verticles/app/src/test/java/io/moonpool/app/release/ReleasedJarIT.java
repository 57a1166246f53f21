package io.moonpool.app.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.moonpool.app.packaged.FatJar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The packaged jar is the same whenever it is built, and knows what it was built from. */
@Timeout(120)
class ReleasedJarIT {
  private static final Pattern TIMESTAMP =
      Pattern.compile("<project.build.outputTimestamp>(.*)</project.build.outputTimestamp>");

  private static LocalDateTime timestamp() throws IOException {
    Matcher found = TIMESTAMP.matcher(Files.readString(FatJar.ROOT.resolve("pom.xml")));
    assertThat(found.find()).isTrue();
    return OffsetDateTime.parse(found.group(1)).toLocalDateTime();
  }

  private static Attributes manifest() throws IOException {
    try (JarFile jar = new JarFile(FatJar.JAR.toFile())) {
      return jar.getManifest().getMainAttributes();
    }
  }

  /** What a command prints; empty when it fails, or there is none of that name. */
  private static String output(List<String> command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(FatJar.ROOT.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? out.strip() : "";
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  void whatIsBuiltHasTheDateOfTheSourcesAndNothingThatOfTheClock() throws IOException {
    LocalDateTime expected = timestamp();
    LocalDateTime written =
        LocalDateTime.ofInstant(Files.getLastModifiedTime(FatJar.JAR).toInstant(), ZoneOffset.UTC);
    try (JarFile jar = new JarFile(FatJar.JAR.toFile())) {
      List<ZipEntry> entries = new ArrayList<>(jar.stream().toList());
      assertThat(entries).extracting(ZipEntry::getName).doesNotHaveDuplicates();
      List<ZipEntry> built =
          entries.stream()
              .filter(
                  entry ->
                      entry.getName().startsWith("io/moonpool/")
                          || entry.getName().equals(JarFile.MANIFEST_NAME))
              .toList();
      assertThat(built).hasSizeGreaterThan(1_000);
      assertThat(built.stream().filter(entry -> !entry.getTimeLocal().equals(expected))).isEmpty();
      // Those of libraries keep the dates that they have in the libraries.
      assertThat(
              entries.stream().filter(entry -> entry.getTimeLocal().isAfter(written.minusDays(2))))
          .isEmpty();
    }
  }

  @Test
  void itKnowsItsCommit() throws Exception {
    String head = output(List.of("git", "rev-parse", "HEAD"));
    assumeThat(head).as("the commit, of an archive without one").isNotEmpty();
    Attributes manifest = manifest();
    assertThat(manifest.getValue("Build-Commit")).isEqualTo(head);
    assertThat(manifest.getValue("Build-Time"))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
  }

  @Test
  void versionTellsIt() throws Exception {
    List<String> command = new ArrayList<>(FatJar.JAVA.withHeap(128));
    command.add("version");
    Attributes manifest = manifest();
    assertThat(output(command).lines())
        .containsExactly(
            "moonpool " + manifest.getValue("Implementation-Version"),
            "commit   " + known(manifest.getValue("Build-Commit")),
            "of       " + known(manifest.getValue("Build-Time")),
            "java     " + Runtime.version() + ", " + System.getProperty("java.vm.vendor"));
  }

  /** A value, or the word for one that no repository gave. */
  private static String known(String value) {
    return value == null || value.isBlank() || value.startsWith("${") ? "unknown" : value;
  }
}
