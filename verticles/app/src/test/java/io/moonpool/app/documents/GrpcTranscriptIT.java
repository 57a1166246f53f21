package io.moonpool.app.documents;

import io.moonpool.app.packaged.FatJar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The session of {@code docs/grpc.md} is a real one, with {@link Grpcurl} for grpcurl. */
@Timeout(300)
class GrpcTranscriptIT {
  @TempDir Path folder;

  @Test
  void grpcurlAnswersAsShown() throws Exception {
    Path project = Files.createDirectory(folder.resolve("project"));
    Map<String, String> environment = Transcript.project(project, FatJar.JAR);
    Path programs = Files.createDirectory(folder.resolve("programs"));
    program(programs.resolve("grpcurl"), Grpcurl.class);
    environment.put("PATH", programs + ":" + System.getenv("PATH"));
    try (DocumentedCluster cluster = DocumentedCluster.start(folder)) {
      environment.putAll(cluster.environment());
      try (Transcript transcript =
          new Transcript("docs/grpc.md", project, environment, cluster.words())) {
        transcript.run();
      }
    }
  }

  private static void program(Path file, Class<?> main) throws Exception {
    Files.writeString(
        file,
        "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -Xmx64m '@%s' -cp '%s' %s \"$@\"\n"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                FatJar.ROOT.resolve("conf/jvm.options"),
                System.getProperty("java.class.path"),
                main.getName()));
    if (!file.toFile().setExecutable(true)) {
      throw new AssertionError("cannot be made executable: " + file);
    }
  }
}
