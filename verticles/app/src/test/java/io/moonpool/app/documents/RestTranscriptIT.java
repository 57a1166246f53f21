package io.moonpool.app.documents;

import io.moonpool.app.packaged.FatJar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The session of {@code docs/rest.md} is a real one. */
@Timeout(300)
class RestTranscriptIT {
  @TempDir Path folder;

  @Test
  void curlAnswersAsShown() throws Exception {
    Path project = Files.createDirectory(folder.resolve("project"));
    Map<String, String> environment = Transcript.project(project, FatJar.JAR);
    try (DocumentedCluster cluster = DocumentedCluster.start(folder)) {
      environment.putAll(cluster.environment());
      try (Transcript transcript =
          new Transcript("docs/rest.md", project, environment, cluster.words())) {
        transcript.run();
      }
    }
  }
}
