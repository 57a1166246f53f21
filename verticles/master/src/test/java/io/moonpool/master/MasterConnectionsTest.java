package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.frame.FrameClient;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of the main port: how many there may be, and how they are counted. */
@Timeout(90)
class MasterConnectionsTest {
  private static final Hello HELLO = new Hello(Hello.VERSION, "test");

  private TestMaster test;

  @AfterEach
  void stop() {
    test.close();
  }

  private MasterStats.FrameCounts frames() {
    return test.master().stats().snapshot().frames();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void refusesConnectionsBeyondTheLimitUntilOneCloses(int metadataLoops) {
    test = TestMaster.start(TestMaster.config().metadataLoops(metadataLoops).maxConnections(2));
    test.call(Calls.HELLO, HELLO);
    FrameClient second = test.newClient();
    TestMaster.await(second.call(Calls.HELLO, HELLO));
    FrameClient third = test.newClient();
    assertThatThrownBy(() -> TestMaster.await(third.call(Calls.HELLO, HELLO)))
        .hasMessageContaining("RPC_FAIL");
    assertThat(frames().refused()).isPositive();
    assertThat(frames().connections()).isEqualTo(2);
    // Those that are there are served on.
    test.call(Calls.HELLO, HELLO);
    TestMaster.await(second.call(Calls.HELLO, HELLO));
    TestMaster.await(second.close());
    await()
        .atMost(30, TimeUnit.SECONDS)
        .ignoreExceptions()
        .until(() -> TestMaster.await(third.call(Calls.HELLO, HELLO)).protocolVersion() > 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void countsConnectionsFramesAndGarbage(int metadataLoops) throws IOException {
    test = TestMaster.start(TestMaster.config().metadataLoops(metadataLoops));
    for (int i = 0; i < 5; i++) {
      test.call(Calls.HELLO, HELLO);
    }
    try (Socket stranger = new Socket("127.0.0.1", test.master().ports().rpc())) {
      stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes());
      assertThat(stranger.getInputStream().read()).as("end of the connection").isEqualTo(-1);
    }
    MasterStats.FrameCounts frames = frames();
    assertThat(frames.framesReceived()).isEqualTo(5);
    assertThat(frames.framesSent()).isEqualTo(5);
    assertThat(frames.bytesReceived()).isGreaterThan(5 * 20);
    assertThat(frames.bytesSent()).isGreaterThan(5 * 16);
    assertThat(frames.opened()).isEqualTo(2);
    assertThat(frames.malformedConnections()).isEqualTo(1);
    assertThat(frames.refused()).isZero();
    await().atMost(30, TimeUnit.SECONDS).until(() -> frames().connections() == 1);
  }
}
