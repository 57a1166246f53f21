package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.config.SettingInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MasterConfigTest {
  @Test
  void readsWhatAFileNamesAndDefaultsTheRest() {
    MasterConfig config =
        MasterConfig.of(
            Map.of(
                "rpc_port",
                0,
                "lease_ttl_ms",
                "2500",
                "eviction_ratio",
                0.25,
                "heartbeat_slice_us",
                500,
                "multi_tenants",
                true,
                "tenants",
                List.of("a", "b")));

    assertThat(config.rpcPort()).isZero();
    assertThat(config.leaseTtlMillis()).isEqualTo(2_500);
    assertThat(config.evictionRatio()).isEqualTo(0.25);
    assertThat(config.heartbeatSliceMicros()).isEqualTo(500);
    assertThat(config.tenants()).containsExactly("a", "b");
    assertThat(config.heartbeatPort()).isEqualTo(50_062);
    assertThat(config)
        .isEqualTo(
            MasterConfig.builder()
                .rpcPort(0)
                .leaseTtlMillis(2_500)
                .evictionRatio(0.25)
                .heartbeatSliceMicros(500)
                .multiTenants(true)
                .tenants(List.of("a", "b"))
                .build());
  }

  @Test
  void refusesWithTheNameOfTheSettingAndWhatItMayBe() {
    assertThatThrownBy(() -> MasterConfig.of(Map.of("lease_ttl", 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'lease_ttl'")
        .hasMessageContaining("lease_ttl_ms");
    assertThatThrownBy(() -> MasterConfig.of(Map.of("rpc_port", "many")))
        .hasMessage("rpc_port must be a whole number, but is 'many'");
    assertThatThrownBy(() -> MasterConfig.of(Map.of("rpc_port", 1.5)))
        .hasMessage("rpc_port must be a whole number, but is '1.5'");
    assertThatThrownBy(() -> MasterConfig.of(Map.of("multi_tenants", "yes")))
        .hasMessage("multi_tenants must be a true or false, but is 'yes'");
    assertThatThrownBy(() -> MasterConfig.builder().evictionHighWatermark(1.1).build())
        .hasMessage("eviction_high_watermark must be above 0, at most 1, but is '1.1'");
    assertThatThrownBy(() -> MasterConfig.builder().maxSoftPinTtlMillis(1).build())
        .hasMessageContaining("default_soft_pin_ttl_ms must be 0 to max_soft_pin_ttl_ms (1)");
    assertThatThrownBy(() -> MasterConfig.builder().tlsCert("cert.pem").build())
        .hasMessageContaining("tls_key");
    assertThatThrownBy(() -> MasterConfig.builder().allocationStrategy("best").build())
        .hasMessageContaining("free_ratio_first");
  }

  @Test
  void everySettingIsDescribedOnceAndReadsBackItsDefault() {
    List<SettingInfo> settings = MasterConfig.settings();

    assertThat(settings).extracting(SettingInfo::name).doesNotHaveDuplicates();
    assertThat(settings).extracting(SettingInfo::description).allMatch(text -> text.endsWith("."));
    for (SettingInfo setting : settings) {
      if (!setting.type().equals("list of texts")) {
        assertThat(MasterConfig.of(Map.of(setting.name(), setting.defaultValue())))
            .as(setting.name())
            .isEqualTo(MasterConfig.DEFAULT);
      }
    }
  }

  @Test
  void printsNoSecret() {
    assertThat(MasterConfig.builder().adminToken("hunter2").build().toString())
        .contains("admin_token: (set)")
        .contains("write_grant_ms: 30000")
        .doesNotContain("hunter2");
  }

  @Test
  void adminInterfacesStayOnLoopbackWithoutAToken() {
    assertThat(MasterConfig.DEFAULT.effectiveAdminHost()).isEqualTo("127.0.0.1");
    assertThat(MasterConfig.builder().adminToken("t").build().effectiveAdminHost())
        .isEqualTo("0.0.0.0");
    assertThat(MasterConfig.DEFAULT.metadataLoopsFor(1)).isEqualTo(1);
    assertThat(MasterConfig.DEFAULT.metadataLoopsFor(8)).isEqualTo(7);
  }

  @Test
  void aBreakerThatIsOnMustSeeWhoGoesOfflineTogether() {
    MasterConfig.Builder config =
        MasterConfig.builder()
            .clientSuspicionTtlMillis(1_999)
            .offlineBreaker(new BreakerConfig(true, 2_000, 0.5));
    assertThatThrownBy(config::build)
        .hasMessage(
            "offline_breaker_silence_ms must be at most client_suspicion_ttl_ms (1999), but is"
                + " '2000'");
    assertThat(config.clientSuspicionTtlMillis(2_000).build().offlineBreaker().enabled()).isTrue();
    assertThat(
            config
                .clientSuspicionTtlMillis(1_999)
                .offlineBreaker(new BreakerConfig(false, 2_000, 0.5))
                .build()
                .offlineBreaker()
                .enabled())
        .isFalse();
  }
}
