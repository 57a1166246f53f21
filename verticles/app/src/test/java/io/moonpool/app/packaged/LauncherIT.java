package io.moonpool.app.packaged;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.packaged.FatJar.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher script, in a copy of the project whose build only copies the real jar. */
@Timeout(300)
class LauncherIT {
  @TempDir Path folder;
  private Path project;
  private Path jar;
  private Path built;

  @BeforeEach
  void copyProject() throws IOException {
    project = Files.createDirectories(folder.resolve("a project"));
    jar = project.resolve("verticles/app/target/moonpool-all.jar");
    built = project.resolve("built");
    Files.createDirectories(jar.getParent());
    Files.createDirectories(project.resolve("conf"));
    Files.createDirectories(project.resolve("src/model/src/main/java"));
    Files.createDirectories(project.resolve("native"));
    Files.copy(
        FatJar.ROOT.resolve("moonpool"),
        project.resolve("moonpool"),
        StandardCopyOption.COPY_ATTRIBUTES);
    Files.copy(FatJar.ROOT.resolve("conf/jvm.options"), project.resolve("conf/jvm.options"));
    Files.writeString(project.resolve("pom.xml"), "<project/>");
    Files.writeString(project.resolve("src/model/src/main/java/A.java"), "class A {}");
    Path mvnw = project.resolve("mvnw");
    Files.writeString(
        mvnw,
        """
        #!/bin/sh
        echo "$@" >> built
        echo '[INFO] Building Moonpool: model 1.0   [1/1]'
        cp '%s' verticles/app/target/moonpool-all.jar
        """
            .formatted(FatJar.JAR));
    assertThat(mvnw.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void buildsWhatIsMissingOnceAndShowsHowFarItIs() throws Exception {
    Result first = launch(Map.of(), "--version");
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.out()).startsWith("moonpool 0.");
    assertThat(first.err()).contains("building", "Moonpool: model 1.0 [1/1]", "built in");
    assertThat(Files.readAllLines(built)).hasSize(1);
    assertThat(Files.readString(built)).contains("-DskipTests", "-pl verticles/app -am", "package");

    Result second = launch(Map.of(), "--version");
    assertThat(second.err()).isEmpty();
    assertThat(Files.readAllLines(built)).hasSize(1);
  }

  @Test
  void buildsAgainWhenASourceIsNewerThanTheJar() throws Exception {
    launch(Map.of(), "--version");
    Path source = project.resolve("src/model/src/main/java/A.java");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(launch(Map.of(), "--version").exitCode()).isZero();
    assertThat(Files.readAllLines(built)).hasSize(2);
  }

  @Test
  void aFailedBuildIsTold() throws Exception {
    Files.writeString(project.resolve("mvnw"), "#!/bin/sh\necho '[ERROR] no such thing'\nexit 1\n");
    Result result = launch(Map.of(), "--version");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("[ERROR] no such thing", "the build failed");
    assertThat(jar).doesNotExist();
  }

  @Test
  void anotherJavaInFrontIsPassedOver() throws Exception {
    Path old = Files.createDirectories(folder.resolve("jdk-17"));
    Path bin = Files.createDirectories(old.resolve("bin"));
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    Files.writeString(bin.resolve("java"), "#!/bin/sh\nexit 99\n");
    assertThat(bin.resolve("java").toFile().setExecutable(true)).isTrue();

    // JAVA_HOME and the first java on the PATH are both a JDK 17; a JDK 25 lies in ~/.jdks.
    Path home = Files.createDirectories(folder.resolve("home/.jdks"));
    Files.createSymbolicLink(home.resolve("jdk-25"), Path.of(System.getProperty("java.home")));
    Map<String, String> environment =
        Map.of(
            "JAVA_HOME", old.toString(),
            "PATH", bin + ":" + System.getenv("PATH"),
            "HOME", folder.resolve("home").toString());
    Result result = launch(environment, "--version");
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).contains("(Java 25");
  }

  @Test
  void flagsFromTheEnvironmentWin() throws Exception {
    Result result =
        launch(Map.of("MOONPOOL_JAVA_OPTS", "-Xmx123m -XX:+PrintCommandLineFlags"), "--version");
    assertThat(result.out() + result.err()).contains("-XX:MaxHeapSize=128974848");
  }

  @Test
  void worksThroughASymbolicLinkFromAnotherFolder() throws Exception {
    Path link = folder.resolve("mp");
    Files.createSymbolicLink(link, project.resolve("moonpool"));
    Process process =
        FatJar.start(folder, environment(Map.of()), List.of(link.toString(), "--version"));
    Result result = FatJar.finish(folder, process);
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).startsWith("moonpool 0.");
  }

  private Result launch(Map<String, String> environment, String... arguments) throws Exception {
    List<String> command = new java.util.ArrayList<>();
    command.add(project.resolve("moonpool").toString());
    command.addAll(List.of(arguments));
    Process process = FatJar.start(folder, environment(environment), command);
    return FatJar.finish(folder, process);
  }

  /** The test's own Java is one that the launcher may take. */
  private static Map<String, String> environment(Map<String, String> more) {
    Map<String, String> all = new HashMap<>();
    all.put("JAVA_HOME", System.getProperty("java.home"));
    all.putAll(more);
    return all;
  }
}
