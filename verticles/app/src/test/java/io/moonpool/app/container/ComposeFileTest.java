package io.moonpool.app.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.config.Component;
import io.moonpool.app.config.Settings;
import io.moonpool.app.packaged.FatJar;
import io.moonpool.master.MasterConfig;
import io.moonpool.node.NodeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** {@code docker/compose.yaml} against the settings, and against the files that it mounts. */
class ComposeFileTest {
  private static final Path FOLDER = FatJar.ROOT.resolve("docker");
  private static final Path NO_FILE = Path.of("there is no such file");
  private static final String TOKEN = "a-token-that-is-long-enough";

  private Map<String, Map<String, Object>> services;

  private static Map<String, Object> yaml(Path file) throws IOException {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    return new Yaml(new SafeConstructor(options)).load(Files.readString(file));
  }

  @BeforeEach
  @SuppressWarnings("unchecked")
  void parse() throws IOException {
    services =
        (Map<String, Map<String, Object>>) yaml(FOLDER.resolve("compose.yaml")).get("services");
  }

  private Map<String, String> environment(String service) {
    Map<String, String> environment = new LinkedHashMap<>();
    ((Map<?, ?>) services.get(service).get("environment"))
        .forEach(
            (name, value) ->
                environment.put(
                    name.toString(),
                    value.toString().replaceAll("\\$\\{MOONPOOL_ADMIN_TOKEN[^}]*}", TOKEN)));
    return environment;
  }

  private <R extends Record> R settings(Component<R> component, String service) {
    return Settings.load(component, null, NO_FILE, environment(service), List.of()).config();
  }

  @Test
  void nodesFindTheMasterAndOneAnother() {
    MasterConfig master = settings(Component.MASTER, "master");
    assertThat(master.adminToken()).isEqualTo(TOKEN);
    for (String name : List.of("node-1", "node-2", "node-3")) {
      NodeConfig node = settings(Component.NODE, name);
      assertThat(node.name()).isEqualTo(name);
      assertThat(node.effectiveDataHost()).isEqualTo(name);
      assertThat(node.masterHost()).isEqualTo("master");
      assertThat(node.masterPort()).isEqualTo(master.rpcPort());
      assertThat(node.disk().dir()).startsWith("/var/lib/moonpool/");
      assertThat(environment(name))
          .containsEntry("MOONPOOL_MASTER", "master:" + master.rpcPort())
          .containsEntry("MOONPOOL_MASTER_ADMIN_TOKEN", TOKEN);
      assertThat(services.get(name).get("volumes")).isEqualTo(List.of(name + ":/var/lib/moonpool"));
    }
  }

  @Test
  void containersOfTheImageWriteToTheirVolumesOnly() {
    for (String name : List.of("master", "node-1", "node-2", "node-3", "client")) {
      Map<String, Object> service = services.get(name);
      assertThat(service).as(name).containsEntry("image", "moonpool");
      assertThat(service).as(name).containsEntry("read_only", true);
      assertThat(service).as(name).containsEntry("cap_drop", List.of("ALL"));
      assertThat(service.get("tmpfs").toString()).contains("/tmp:").contains("noexec");
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void prometheusScrapesAllServers() throws IOException {
    Set<Object> targets = new HashSet<>();
    Map<String, Object> prometheus = yaml(FOLDER.resolve("prometheus/prometheus.yaml"));
    for (Map<String, Object> job : (List<Map<String, Object>>) prometheus.get("scrape_configs")) {
      for (Map<String, Object> set : (List<Map<String, Object>>) job.get("static_configs")) {
        targets.addAll((List<Object>) set.get("targets"));
      }
    }
    int http = settings(Component.NODE, "node-1").httpPort();
    assertThat(targets)
        .containsExactlyInAnyOrder(
            "master:" + settings(Component.MASTER, "master").httpPort(),
            "node-1:" + http,
            "node-2:" + http,
            "node-3:" + http);
  }

  @Test
  void whatIsMountedIsThere() {
    for (Map<String, Object> service : services.values()) {
      for (Object volume : (List<?>) service.getOrDefault("volumes", List.of())) {
        String from = volume.toString().split(":", 2)[0];
        if (from.startsWith(".")) {
          assertThat(FOLDER.resolve(from)).exists();
        }
      }
    }
  }
}
