package io.moonpool.app.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.packaged.FatJar;
import io.moonpool.app.packaged.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The first five minutes of {@code README.md}, as a newcomer types them. */
@Timeout(600)
class FirstMinutesIT {
  private static final int KILLED = 128 + 9;

  @TempDir Path folder;

  @Test
  void everythingWorksAsWritten() throws Exception {
    Path project = Files.createDirectory(folder.resolve("project"));
    Map<String, String> words = new HashMap<>(freePorts());
    words.put("/var/tmp", Files.createDirectory(folder.resolve("files")).toString());
    Map<String, String> environment = Transcript.project(project, FatJar.JAR);
    environment.put("MOONPOOL_MASTER_RPC_PORT", words.get("50051"));
    environment.put("MOONPOOL_MASTER_GRPC_PORT", words.get("50061"));
    environment.put("MOONPOOL_MASTER_HEARTBEAT_PORT", words.get("50062"));
    environment.put("MOONPOOL_MASTER_HTTP_PORT", words.get("9003"));
    // What it changes is how fast the first calls are, which the page does not show.
    environment.put("MOONPOOL_MASTER_REHEARSAL", "false");
    environment.put("MOONPOOL_NODE_MASTER_PORT", words.get("50051"));
    environment.put("MOONPOOL_MASTER", "127.0.0.1:" + words.get("50051"));
    environment.put("MOONPOOL_ADMIN", "127.0.0.1:" + words.get("9003"));
    try (Transcript transcript = new Transcript("README.md", project, environment, words)) {
      transcript.run();
      assertThat(transcript.exitCodes())
          .isEqualTo(Map.of("master", 0, "a", KILLED, "b", 0, "a-again", 0, "b-again", 0));
    }
  }

  /** The ports of the document, and others that nobody uses. */
  private static Map<String, String> freePorts() {
    Map<String, String> ports = new HashMap<>();
    for (String documented : List.of("50051", "50061", "50062", "9003", "9301", "9302")) {
      ports.put(documented, String.valueOf(FreePorts.any()));
    }
    return ports;
  }
}
