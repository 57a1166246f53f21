package io.moonpool.master.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The code in {@code docs/event-bus.md} is the code that tests run. What it prints is compared
 * where it runs, in {@code ClusteredBusTest}.
 */
class EventBusPageTest {
  private static final Path TESTS =
      Document.ROOT.resolve("verticles/master/src/test/java/io/moonpool/master/bus");

  @Test
  void theServiceIsTheOneThatTestsDeploy() throws IOException {
    String source = Files.readString(TESTS.resolve("example/PlacementService.java"));
    new Document("event-bus.md").partMustBe("service", java(source));
  }

  @Test
  void theProgramIsTheOneThatJoinsAClusterInATest() throws IOException {
    String source = Files.readString(TESTS.resolve("ClusterMember.java"));
    assertThat(source).contains("// begin: use", "// end: use");
    String program =
        source.substring(source.indexOf("// begin: use"), source.indexOf("// end: use"));
    new Document("event-bus.md")
        .partMustBe(
            "program",
            java(program.substring(program.indexOf('\n') + 1).stripIndent().strip() + "\n"));
  }

  private static String java(String code) {
    return "```java\n" + code + "```\n";
  }
}
