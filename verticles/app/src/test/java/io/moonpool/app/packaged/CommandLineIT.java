package io.moonpool.app.packaged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.app.packaged.FatJar.Result;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged command line: help, configuration errors, signals. */
@Timeout(300)
class CommandLineIT {
  @TempDir Path folder;

  @Test
  void helpAndVersion() throws Exception {
    Result help = FatJar.run(folder, "--help");
    assertThat(help.exitCode()).isZero();
    assertThat(help.out()).contains("master", "node", "client", "demo", "Exit codes:");
    assertThat(help.err()).isEmpty();
    assertThat(FatJar.run(folder, "--version").out()).startsWith("moonpool 0.");
  }

  @Test
  void aBadSettingNamesItselfItsOriginAndWhatIsAllowed() throws Exception {
    Result flag = FatJar.run(folder, "master", "--rpc-port", "70000");
    assertThat(flag.exitCode()).isEqualTo(3);
    assertThat(flag.err())
        .isEqualTo(
            "moonpool: rpc_port must be 0 to 65535, but is '70000' (rpc_port is set by"
                + " --rpc-port)\n");

    Result variable = FatJar.run(folder, Map.of("MOONPOOL_NODE_COLOUR", "blue"), "node");
    assertThat(variable.exitCode()).isEqualTo(3);
    assertThat(variable.err())
        .contains("environment variable MOONPOOL_NODE_COLOUR: there is no node setting 'colour'");

    Result file = FatJar.run(folder, "master", "--config", "none.yaml");
    assertThat(file.exitCode()).isEqualTo(3);
    assertThat(file.err()).contains("there is no configuration file none.yaml");
  }

  @Test
  void aNodeWaitsForItsMasterAndCanBeStoppedMeanwhile() throws Exception {
    Process node =
        FatJar.start(
            folder,
            Map.of(),
            "node",
            "--master-port=1",
            "--http-port=0",
            "--segment-bytes=1MiB",
            "--log-level=info");
    try {
      await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () ->
                  !node.isAlive()
                      || Files.readString(folder.resolve("err")).contains("not mounted yet"));
      assertThat(node.isAlive()).isTrue();
      assertThat(folder.resolve("out")).isEmptyFile();
      node.destroy();
    } catch (Throwable e) {
      node.destroyForcibly();
      throw e;
    }
    assertThat(FatJar.finish(folder, node).exitCode()).isZero();
  }

  @Test
  void aClientWithoutAMasterSaysSo() throws Exception {
    Result result = FatJar.run(folder, "client", "ls", "--master", "127.0.0.1:1");
    assertThat(result.exitCode()).isEqualTo(5);
    assertThat(result.err()).contains("RPC_FAIL").contains("127.0.0.1:1");
  }

  @Test
  void aMasterTellsItsPortsAndEndsWithZeroOnSigterm() throws Exception {
    Path ports = folder.resolve("ports.json");
    Process master =
        FatJar.start(
            folder,
            Map.of("MOONPOOL_MASTER_ADMIN_TOKEN", "s3cret"),
            "master",
            "--rpc-host=127.0.0.1",
            "--rpc-port=0",
            "--grpc-port=0",
            "--heartbeat-port=0",
            "--http-port=0",
            "--ports-file",
            ports.toString());
    try {
      await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(ports) || !master.isAlive());
      assertThat(ports).exists();
      JsonObject told = new JsonObject(Files.readString(ports));
      assertThat(told.getString("role")).isEqualTo("master");
      assertThat(told.getLong("pid")).isEqualTo(master.pid());
      assertThat(told.getJsonObject("ports").getInteger("rpc")).isPositive();
      assertThat(told.getJsonObject("ports").getInteger("http")).isPositive();
      await()
          .until(
              () ->
                  Files.readString(folder.resolve("out"))
                      .startsWith(
                          "READY master id=moonpool rpc="
                              + told.getJsonObject("ports").getInteger("rpc")));
      master.destroy();
    } catch (Throwable e) {
      master.destroyForcibly();
      throw e;
    }
    Result result = FatJar.finish(folder, master);
    assertThat(result.exitCode()).isZero();
    assertThat(result.err())
        .contains("rpc_port: 0   # --rpc-port")
        .contains("admin_token: (set)")
        .contains("stopped")
        .doesNotContain("s3cret");
  }

  @Test
  void aTakenPortIsAClearError() throws IOException, InterruptedException {
    try (java.net.ServerSocket taken = new java.net.ServerSocket(0)) {
      Result result =
          FatJar.run(
              folder,
              "master",
              "--rpc-host=127.0.0.1",
              "--heartbeat-port=0",
              "--http-port=0",
              "--grpc-port=0",
              "--rpc-port=" + taken.getLocalPort());
      assertThat(result.exitCode()).isEqualTo(1);
      assertThat(result.err())
          .contains("the master does not start")
          .contains(String.valueOf(taken.getLocalPort()));
    }
  }
}
