package io.moonpool.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.master.MasterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  @TempDir Path folder;

  @Test
  void flagsWinOverTheEnvironmentThatOverTheFileThatOverTheDefaults() throws IOException {
    Path file = write("rpc_port: 1\ngrpc_port: 1\nheartbeat_port: 1\n");
    Settings<MasterConfig> settings =
        load(
            file,
            Map.of("MOONPOOL_MASTER_GRPC_PORT", "2", "MOONPOOL_MASTER_HEARTBEAT_PORT", "2"),
            new GivenSetting("heartbeat_port", "3", "--heartbeat-port"));

    assertThat(settings.config().rpcPort()).isEqualTo(1);
    assertThat(settings.config().grpcPort()).isEqualTo(2);
    assertThat(settings.config().heartbeatPort()).isEqualTo(3);
    assertThat(settings.config().httpPort()).isEqualTo(MasterConfig.DEFAULT.httpPort());
    assertThat(settings.origins())
        .isEqualTo(
            Map.of(
                "rpc_port", file + " line 1",
                "grpc_port", "environment variable MOONPOOL_MASTER_GRPC_PORT",
                "heartbeat_port", "--heartbeat-port"));
  }

  @Test
  void theLastOfTwoFlagsWins() {
    assertThat(
            load(
                    null,
                    Map.of(),
                    new GivenSetting("rpc_port", "1", "--set"),
                    new GivenSetting("rpc_port", "2", "--rpc-port"))
                .config()
                .rpcPort())
        .isEqualTo(2);
  }

  @Test
  void takesListsFromAllSources() throws IOException {
    assertThat(load(write("tenants: [a, b]\n"), Map.of()).config().tenants())
        .containsExactly("a", "b");
    assertThat(load(write("tenants:\n  - a\n  - b\n"), Map.of()).config().tenants())
        .containsExactly("a", "b");
    assertThat(load(null, Map.of("MOONPOOL_MASTER_TENANTS", "a, b")).config().tenants())
        .containsExactly("a", "b");
  }

  @Test
  void takesTheTextThatStandsInTheFile() throws IOException {
    // YAML 1.1 would make a number and a boolean of these.
    assertThat(load(write("cluster_id: 007\n"), Map.of()).config().clusterId()).isEqualTo("007");
    assertThat(load(write("cluster_id: no\n"), Map.of()).config().clusterId()).isEqualTo("no");
  }

  @Test
  void readsTheFileThatTheEnvironmentNames() throws IOException {
    Path file = write("rpc_port: 4\n");
    assertThat(load(null, Map.of("MOONPOOL_MASTER_CONFIG", file.toString())).config().rpcPort())
        .isEqualTo(4);
  }

  @Test
  void readsTheDefaultFileOnlyWhenItExists() throws IOException {
    Path file = folder.resolve("default.yaml");
    assertThat(load(null, Map.of()).config()).isEqualTo(MasterConfig.DEFAULT);
    Files.writeString(file, "rpc_port: 5\n");
    assertThat(load(null, Map.of()).config().rpcPort()).isEqualTo(5);
  }

  @Test
  void ignoresWhatKubernetesPutsIntoTheEnvironmentOfAServiceOfThatName() {
    Map<String, String> links =
        Map.of(
            "MOONPOOL_MASTER_PORT", "tcp://10.0.0.1:50051",
            "MOONPOOL_MASTER_SERVICE_HOST", "10.0.0.1",
            "MOONPOOL_MASTER_SERVICE_PORT", "50051",
            "MOONPOOL_MASTER_SERVICE_PORT_RPC", "50051",
            "MOONPOOL_MASTER_PORT_50051_TCP", "tcp://10.0.0.1:50051",
            "MOONPOOL_MASTER_PORT_50051_TCP_ADDR", "10.0.0.1",
            "MOONPOOL_MASTER_RPC_PORT", "6");
    Settings<MasterConfig> settings = load(null, links);
    assertThat(settings.config()).isEqualTo(MasterConfig.builder().rpcPort(6).build());
  }

  @Test
  void anUnknownSettingNamesItsOriginAndTheNearestName() throws IOException {
    Path file = write("# a comment\nrpc_prot: 1\n");
    assertThatThrownBy(() -> load(file, Map.of()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith(file + " line 2: there is no master setting 'rpc_prot'")
        .hasMessageContaining("did you mean rpc_port?");
    assertThatThrownBy(() -> load(null, Map.of("MOONPOOL_MASTER_COLOUR", "blue")))
        .hasMessageStartingWith("environment variable MOONPOOL_MASTER_COLOUR: there is no")
        .hasMessageContaining("The settings are: rpc_host, rpc_port")
        .hasMessageNotContaining("did you mean");
  }

  @Test
  void aBadValueNamesTheSettingItsOriginAndWhatIsAllowed() throws IOException {
    assertThatThrownBy(() -> load(null, Map.of("MOONPOOL_MASTER_RPC_PORT", "70000")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "rpc_port must be 0 to 65535, but is '70000' (rpc_port is set by environment variable"
                + " MOONPOOL_MASTER_RPC_PORT)");
    Path file = write("lease_ttl_ms: soon\n");
    assertThatThrownBy(() -> load(file, Map.of()))
        .hasMessage(
            "lease_ttl_ms must be a whole number, but is 'soon' (lease_ttl_ms is set by "
                + file
                + " line 1)");
  }

  @Test
  void aConflictOfTwoSettingsNamesBothOrigins() throws IOException {
    Path file = write("max_soft_pin_ttl_ms: 5000\n");
    assertThatThrownBy(
            () ->
                load(
                    file,
                    Map.of(),
                    new GivenSetting(
                        "default_soft_pin_ttl_ms", "6000", "--default-soft-pin-ttl-ms")))
        .hasMessageContaining("max_soft_pin_ttl_ms is set by " + file + " line 1")
        .hasMessageContaining("default_soft_pin_ttl_ms is set by --default-soft-pin-ttl-ms");
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> load(folder.resolve("none.yaml"), Map.of()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("there is no configuration file " + folder.resolve("none.yaml"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rpc_port: [1\n",
        "just text\n",
        "- a\n- list\n",
        "rpc_port: {a: 1}\n",
        "tenants: [[a]]\n",
        "rpc_port: 1\nrpc_port: 2\n"
      })
  void aFileOfAnotherShapeIsRefusedWithItsLine(String text) throws IOException {
    Path file = write(text);
    assertThatThrownBy(() -> load(file, Map.of()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageMatching("(?s)\\Q" + file + "\\E line \\d+.*");
  }

  @Test
  void bytesThatAreNoTextAreRefused() throws IOException {
    Path file = folder.resolve("binary.yaml");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
    assertThatThrownBy(() -> load(file, Map.of())).hasMessageContaining("is not UTF-8 text");
  }

  @Test
  void anEmptyFileIsFine() throws IOException {
    assertThat(load(write("# nothing\n"), Map.of()).config()).isEqualTo(MasterConfig.DEFAULT);
  }

  @Test
  void describesWithOriginsAndWithoutSecrets() {
    String text =
        load(null, Map.of("MOONPOOL_MASTER_ADMIN_TOKEN", "s3cret", "MOONPOOL_MASTER_RPC_PORT", "7"))
            .describe();
    assertThat(text)
        .contains("rpc_port: 7   # environment variable MOONPOOL_MASTER_RPC_PORT")
        .contains("admin_token: (set)")
        .contains("grpc_port: 50061\n")
        .doesNotContain("s3cret");
  }

  private Settings<MasterConfig> load(
      @Nullable Path file, Map<String, String> environment, GivenSetting... flags) {
    return Settings.load(
        Component.MASTER, file, folder.resolve("default.yaml"), environment, List.of(flags));
  }

  private Path write(String text) throws IOException {
    Path file = folder.resolve("test.yaml");
    Files.writeString(file, text);
    return file;
  }
}
