package io.moonpool.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.config.SettingInfo;
import io.moonpool.node.disk.DiskConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeConfigTest {
  @Test
  void readsAFile() {
    NodeConfig config =
        NodeConfig.of(
            Map.of(
                "master_host", "master.example",
                "http_port", 0,
                "segment_bytes", List.of("64MiB x 2", 4_194_304),
                "part_bytes", "8MiB",
                "transports", "tcp"));
    assertThat(config.masterHost()).isEqualTo("master.example");
    assertThat(config.segmentSizes()).containsExactly(64L << 20, 64L << 20, 4L << 20);
    assertThat(config.partBytes()).isEqualTo(8L << 20);
    assertThat(config.transports()).containsExactly("tcp");
    assertThat(config.dataPort()).isZero();
  }

  @Test
  void everySettingIsDescribed() {
    assertThat(NodeConfig.settings())
        .extracting(SettingInfo::name)
        .contains(
            "heartbeat_interval_ms",
            "segment_bytes",
            "tls_key",
            "disk_dir",
            "disk_bucket_linger_ms")
        .hasSize(
            NodeConfig.class.getRecordComponents().length
                - 1
                + DiskConfig.class.getRecordComponents().length);
    assertThat(NodeConfig.settings()).allMatch(setting -> !setting.description().isBlank());
  }

  @ParameterizedTest
  @CsvSource({
    "master_port, 0, master_port must be 1 to 65535",
    "disk_low_watermark, 0.95, disk_low_watermark must be above 0 and below disk_high_watermark",
    "disk_threads, many, disk_threads must be a whole number",
    "disk_eviction_policy, none, disk_eviction_policy must be fifo or lru",
    "disk_color, red, unknown setting 'disk_color'; the settings are: master_host",
    "segment_bytes, lots, segment_bytes must be like '4GiB'",
    "segment_bytes, 512, segment_bytes must be 1MiB to 1TiB",
    "transports, carrier-pigeon, transports must be",
    "transports, 'tcp,tcp', transports must be",
    "ucx_spin_us, -1, ucx_spin_us must be",
    "part_bytes, 1KiB, part_bytes must be",
    "staging_bytes, 1MiB, staging_bytes must be at least twice part_bytes (64MiB)",
    "tls_cert, a.pem, tls_cert must be set together with tls_key",
    "data_host, 0.0.0.0, data_advertised_host must be an address that peers can reach",
    "data_tls, true, data_tls must be",
    "colour, blue, unknown setting 'colour'"
  })
  void refusesWhatCannotWork(String name, String value, String message) {
    assertThatThrownBy(() -> NodeConfig.of(Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void hidesTheToken() {
    NodeConfig config = NodeConfig.builder().adminToken("s3cret").build();
    assertThat(config.toString()).contains("admin_token: (set)").doesNotContain("s3cret");
    assertThat(config.effectiveHttpHost()).isEqualTo("0.0.0.0");
    assertThat(NodeConfig.DEFAULT.effectiveHttpHost()).isEqualTo("127.0.0.1");
  }
}
