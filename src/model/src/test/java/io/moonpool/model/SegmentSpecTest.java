package io.moonpool.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who can reach a segment, by what its owner announces. */
class SegmentSpecTest {
  private static final SegmentEndpoint TCP = new SegmentEndpoint("tcp", new byte[] {1});
  private static final SegmentEndpoint SHM = new SegmentEndpoint("shm", new byte[] {1});

  private static SegmentEndpoint mooncake(String protocol, String endpoint) {
    return new MooncakeEndpoint(4096, protocol, endpoint).toEndpoint();
  }

  private static Reach reach(SegmentEndpoint... endpoints) {
    return SegmentSpec.memory(UUID.randomUUID(), "s", 1, "", List.of(endpoints)).reach();
  }

  @Test
  void nodesAreReachedByThoseTheyAnnounceThemselvesTo() {
    assertThat(reach()).isEqualTo(Reach.MOONPOOL);
    assertThat(reach(SHM, TCP)).isEqualTo(Reach.MOONPOOL);
    assertThat(reach(SHM, TCP, mooncake("tcp", "host:1"))).isEqualTo(Reach.BOTH);
  }

  @Test
  void clientsOfMooncakeAreReachedByTcpOrByTheirOwnOnly() {
    assertThat(reach(mooncake("tcp", "host:1"))).isEqualTo(Reach.MOONCAKE_TCP);
    assertThat(reach(mooncake("rdma", "host:1"))).isEqualTo(Reach.MOONCAKE);
    assertThat(reach(mooncake("tcp", "name"))).isEqualTo(Reach.MOONCAKE);
    assertThat(reach(new SegmentEndpoint(SegmentEndpoint.MOONCAKE, new byte[] {1})))
        .isEqualTo(Reach.MOONCAKE);
  }

  @Test
  void theOwnerOfASegmentCarriesItsMovesOut() {
    assertThat(Reach.MOONCAKE_TCP.owner()).isEqualTo(ClientProtocol.MOONCAKE);
    assertThat(Reach.MOONCAKE_TCP.by(ClientProtocol.MOONPOOL)).isTrue();
    assertThat(Reach.MOONCAKE.by(ClientProtocol.MOONPOOL)).isFalse();
    assertThat(Reach.BOTH.owner()).isEqualTo(ClientProtocol.MOONPOOL);
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:15116, 127.0.0.1, 15116",
    "[::1]:80, ::1, 80",
    "host.example:65535, host.example, 65535",
    "host, host, 0",
    "host:0, host, 0",
    "host:65536, host, 0",
    "host:-1, host, 0",
    "host:x, host, 0"
  })
  void endpointsAreReadAsHostAndPort(String endpoint, String host, int port) {
    MooncakeEndpoint read = new MooncakeEndpoint(1, "tcp", endpoint);
    assertThat(read.host()).isEqualTo(host);
    assertThat(read.port()).isEqualTo(port);
    assertThat(read.isTcp()).isEqualTo(port > 0);
    assertThat(MooncakeEndpoint.of(read.toEndpoint())).isEqualTo(read);
  }
}
