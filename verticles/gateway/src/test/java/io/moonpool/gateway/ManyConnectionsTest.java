package io.moonpool.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.moonpool.gateway.wire.WireClient;
import io.moonpool.gateway.wire.WireClient.Segment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ten thousand connections that do nothing are no burden to anybody else. */
@Timeout(180)
class ManyConnectionsTest {
  private static final int IDLE = 10_000;
  private static final int FILES_OF_THE_REST = 2_000;
  private static final int ROUNDS = 500;

  private static long filesLeft() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount()
        : Long.MAX_VALUE;
  }

  private static Process connect(int port) throws IOException, URISyntaxException {
    Path classes =
        Path.of(IdleConnections.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classes.toString(),
            IdleConnections.class.getName(),
            String.valueOf(port),
            String.valueOf(IDLE))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void othersAreServedBesideTenThousandIdleConnections() throws Exception {
    assumeTrue(
        filesLeft() >= IDLE + FILES_OF_THE_REST,
        "the limit of open files is too low for " + IDLE + " connections: raise it (ulimit -n)");
    try (GatewayMaster master = GatewayMaster.start(GatewayMaster.config().maxConnections(20_000));
        WireClient client = new WireClient(master.port(), UUID.randomUUID(), true)) {
      Segment lent = new Segment(UUID.randomUUID(), "s", 1L << 40, 1 << 20, "127.0.0.1:1");
      client.mount(lent);
      client.mountAgain(List.of(lent));
      Process idle = connect(master.port());
      try (BufferedReader out =
          new BufferedReader(
              new InputStreamReader(idle.getInputStream(), StandardCharsets.UTF_8))) {
        assertThat(out.readLine()).isEqualTo(IdleConnections.READY);
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> master.master().stats().snapshot().frames().connections() >= IDLE + 1);
        for (int i = 0; i < ROUNDS; i++) {
          String key = "key-" + i;
          client.putStart(key, 100);
          client.putEnd(key, OptionalLong.empty());
          assertThat(client.locate(key).places()).hasSize(1);
          assertThat(client.ping()).isEqualTo(1);
        }
        try (WireClient late = new WireClient(master.port(), UUID.randomUUID(), true)) {
          assertThat(late.serviceReady()).isEqualTo("2.0.0");
        }
        assertThat(master.master().stats().snapshot().frames().refused()).isZero();
        assertThat(master.master().stats().snapshot().suspectedTransitions()).isZero();
        idle.getOutputStream().close();
        // What they took is given back.
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> master.master().stats().snapshot().frames().connections() <= 1);
        assertThat(client.exists("key-1")).isTrue();
      } finally {
        idle.destroyForcibly();
      }
    }
  }
}
