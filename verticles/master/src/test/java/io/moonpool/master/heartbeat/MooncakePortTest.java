package io.moonpool.master.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.core.liveness.ClientRegistry;
import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.core.liveness.Registration;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.MooncakeConfig;
import io.moonpool.master.loop.MasterLoops;
import io.moonpool.protocol.heartbeat.HeartbeatFrame;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The frames of Mooncake's clients at the heartbeat port, as bytes. */
@Timeout(60)
class MooncakePortTest {
  private static final UUID CLIENT = new UUID(0x0102030405060708L, 0x1112131415161718L);
  private static final String ID = "08070605040302011817161514131211";
  private static final String NAMED_BODY = "e1836d3c04fd04048989ff00";
  private static final String SHORT_BODY = "e0836d3c";

  private MasterLoops loops;
  private ClientRegistry registry;
  private ObservedClock clock;
  private HeartbeatVerticle verticle;
  private Registration.Accepted node;
  private final ClientsById clients = new ClientsById();
  private KnownClient client;

  @BeforeEach
  void start() throws Exception {
    loops = MasterLoops.build("moonpool", 1, 1_024, new VertxOptions(), UnaryOperator.identity());
    registry = new ClientRegistry(1);
    clock = new ObservedClock(System.nanoTime());
    node = (Registration.Accepted) registry.register(CLIENT, CLIENT, "", "", 0);
    client = new KnownClient(CLIENT, node.slot(), node.incarnation());
    deploy(MooncakeConfig.DEFAULT);
  }

  private void deploy(MooncakeConfig mooncake) throws Exception {
    verticle =
        new HeartbeatVerticle(
            MasterConfig.builder().ephemeral().mooncake(mooncake).build(),
            loops.heartbeat(),
            loops.transport().implementation(),
            new SlotRecorder(registry.published(), clock, 5),
            clients,
            null);
    done(loops.deploy(loops.heartbeat(), verticle));
  }

  @AfterEach
  void stop() throws Exception {
    done(loops.close());
  }

  private static <T> T done(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket("127.0.0.1", verticle.port());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static String u32(int value) {
    byte[] bytes = new byte[4];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(value);
    return HexFormat.of().formatHex(bytes);
  }

  private static String namedPing(int sequence) {
    return "15000000" + u32(sequence) + "e5dac2d61c00000000000000" + NAMED_BODY + ID;
  }

  private static String shortPing(int sequence) {
    return "15000000" + u32(sequence) + "e5dac2d61400000000000000" + SHORT_BODY + ID;
  }

  private static String serviceReady(int sequence) {
    return "15000000" + u32(sequence) + "56bb817b0000000000000000";
  }

  private static String namedAnswer(int sequence, PingStatus status) {
    return "15000000"
        + u32(sequence)
        + "1900000000000000"
        + "538f2a740487fd0301ff0100"
        + "010000000000000000"
        + u32(status.number());
  }

  private static String shortAnswer(int sequence, PingStatus status) {
    return "15000000"
        + u32(sequence)
        + "1100000000000000"
        + "528f2a74"
        + "010000000000000000"
        + u32(status.number());
  }

  private static String namedVersion(int sequence) {
    return "15000000" + u32(sequence) + "1100000000000000" + "35ccb31c0487800c01000105322e302e30";
  }

  private static String shortVersion(int sequence) {
    return "15000000" + u32(sequence) + "0b00000000000000" + "34ccb31c0105322e302e30";
  }

  private static void assertAnswered(Socket socket, String request, String answer)
      throws IOException {
    socket.getOutputStream().write(bytes(request));
    assertReceived(socket, answer);
  }

  private static void assertReceived(Socket socket, String answer) throws IOException {
    byte[] received = new byte[answer.length() / 2];
    new DataInputStream(socket.getInputStream()).readFully(received);
    assertThat(HexFormat.of().formatHex(received)).isEqualTo(answer);
  }

  private long silentMillis() {
    return registry.list(clock.millis(), ignored -> 0).getFirst().silentMillis();
  }

  @Test
  void pingsAreRecordedAndAnsweredInTheirForm() throws Exception {
    clients.put(client);
    try (Socket socket = connect()) {
      assertAnswered(socket, namedPing(1), namedAnswer(1, PingStatus.NEED_REMOUNT));
      client.ready();
      await().until(() -> silentMillis() >= ObservedClock.STEP_MILLIS);
      assertAnswered(socket, namedPing(2), namedAnswer(2, PingStatus.OK));
      assertThat(silentMillis()).isLessThanOrEqualTo(2 * ObservedClock.STEP_MILLIS);
      assertAnswered(socket, shortPing(-3), shortAnswer(-3, PingStatus.OK));
    }
    assertThat(verticle.pings()).isEqualTo(3);
  }

  @Test
  void clientsThatAreNotKnownAreToldToMount() throws Exception {
    try (Socket socket = connect()) {
      assertAnswered(socket, namedPing(0), namedAnswer(0, PingStatus.NEED_REMOUNT));
      assertAnswered(socket, shortPing(1), shortAnswer(1, PingStatus.NEED_REMOUNT));
    }
    client.ready();
    clients.put(client);
    clients.remove(client);
    try (Socket socket = connect()) {
      assertAnswered(socket, namedPing(0), namedAnswer(0, PingStatus.NEED_REMOUNT));
    }
  }

  /** ServiceReady has no body that tells its form: the last ping does, as on the main port. */
  @Test
  void theVersionIsTold() throws Exception {
    try (Socket socket = connect()) {
      assertAnswered(socket, serviceReady(7), namedVersion(7));
      assertAnswered(socket, shortPing(8), shortAnswer(8, PingStatus.NEED_REMOUNT));
      assertAnswered(socket, serviceReady(9), shortVersion(9));
      assertAnswered(socket, namedPing(10), namedAnswer(10, PingStatus.NEED_REMOUNT));
      assertAnswered(socket, serviceReady(11), namedVersion(11));
    }
  }

  private byte[] ownPing(long sequence) {
    byte[] ping = new byte[HeartbeatFrame.BYTES];
    HeartbeatFrame.setPing(
        Unpooled.wrappedBuffer(ping), 0, node.slot(), node.incarnation(), sequence, 99);
    return ping;
  }

  @Test
  void allKindsMayBeMixedAndComeInAnyPieces() throws Exception {
    client.ready();
    clients.put(client);
    int rounds = 200;
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    for (int i = 0; i < rounds; i++) {
      sent.writeBytes(bytes(namedPing(i)));
      sent.writeBytes(ownPing(i));
      sent.writeBytes(bytes(serviceReady(i)));
      sent.writeBytes(bytes(shortPing(i)));
    }
    byte[] all = sent.toByteArray();
    try (Socket socket = connect()) {
      CompletableFuture<Void> writing =
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int at = 0, length = 1; at < all.length; at += length) {
                    length = Math.min(length * 3 % 1_777, all.length - at);
                    socket.getOutputStream().write(all, at, length);
                  }
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      for (int i = 0; i < rounds; i++) {
        assertReceived(socket, namedAnswer(i, PingStatus.OK));
        byte[] own = new byte[HeartbeatFrame.BYTES];
        new DataInputStream(socket.getInputStream()).readFully(own);
        assertThat(HeartbeatFrame.isAnswer(Unpooled.wrappedBuffer(own), 0)).isTrue();
        assertThat(HeartbeatFrame.sequence(Unpooled.wrappedBuffer(own), 0)).isEqualTo(i);
        assertReceived(socket, namedVersion(i));
        assertReceived(socket, shortAnswer(i, PingStatus.OK));
      }
      writing.get(30, TimeUnit.SECONDS);
    }
    assertThat(verticle.malformedConnections()).isZero();
  }

  /** Their answers are longer than the requests, so they do not fit one buffer together. */
  @Test
  void moreVersionsThanFitOneBufferAreTold() throws Exception {
    done(loops.close());
    start();
    String version = "v".repeat(100);
    deploy(new MooncakeConfig(true, version, 1));
    int requests = 60;
    StringBuilder sent = new StringBuilder();
    for (int i = 0; i < requests; i++) {
      sent.append(serviceReady(i));
    }
    try (Socket socket = connect()) {
      socket.getOutputStream().write(bytes(sent.toString()));
      String text =
          HexFormat.of().formatHex(version.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      for (int i = 0; i < requests; i++) {
        assertReceived(
            socket, "15000000" + u32(i) + "7000000000000000" + "35ccb31c0487800c01000164" + text);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "another first byte, 474554202f",
    "another version, 150100000000000056bb817b0000000000000000",
    "another function, 15000000000000004647484900000000 00000000",
    "an attachment, 150000000000000056bb817b0000000001000000",
    "an attachment of 4 GiB, 150000000000000056bb817b00000000ffffffff",
    "a body where none belongs, 150000000000000056bb817b0100000000000000",
    "a body of 4 GiB, 1500000000000000e5dac2d6ffffffff00000000",
    "a short body, 1500000000000000e5dac2d60400000000000000e0836d3c",
    "another type, 1500000000000000e5dac2d61400000000000000e0836d3d" + ID,
    "another literal, 1500000000000000e5dac2d61c00000000000000e1836d3c04fd04048989fe00" + ID,
    "a head that tells of a literal that is not there, 1500000000000000e5dac2d61400000000000000e1836d3c"
        + ID,
  })
  void anythingElseClosesTheConnection(String what, String sent) throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(bytes(namedPing(1)));
      assertReceived(socket, namedAnswer(1, PingStatus.NEED_REMOUNT));
      socket.getOutputStream().write(bytes(sent.replace(" ", "") + namedPing(2)));
      try {
        assertThat(socket.getInputStream().read()).as(what).isEqualTo(-1);
      } catch (IOException reset) {
        // Closed while bytes waited: that is a reset.
      }
    }
    await().untilAsserted(() -> assertThat(verticle.connections()).isZero());
    assertThat(verticle.malformedConnections()).isEqualTo(1);
    assertThat(verticle.pings()).isEqualTo(1);
  }

  /** What was whole before the bytes that are nothing is answered. */
  @Test
  void framesBeforeGarbageAreAnswered() throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(bytes(namedPing(1) + "99"));
      assertReceived(socket, namedAnswer(1, PingStatus.NEED_REMOUNT));
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void theyAreNotServedWhereTheyAreSwitchedOff() throws Exception {
    deploy(new MooncakeConfig(false, "2.0.0", 1));
    try (Socket socket = connect()) {
      socket.getOutputStream().write(ownPing(1));
      byte[] own = new byte[HeartbeatFrame.BYTES];
      new DataInputStream(socket.getInputStream()).readFully(own);
      socket.getOutputStream().write(bytes(serviceReady(1)));
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void aPingAllocatesNothing() throws Exception {
    client.ready();
    for (int i = 0; i < 1_000; i++) {
      clients.put(new KnownClient(new UUID(i, i), 0, 0));
    }
    clients.put(client);
    byte[] requests = bytes(namedPing(1) + shortPing(2) + serviceReady(3));
    byte[] answers = new byte[41 + 33 + 27];
    try (Socket socket = connect()) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      double bytes =
          LoopAllocations.perExchange(
              loops.heartbeat(),
              () -> {
                socket.getOutputStream().write(requests);
                in.readFully(answers);
              });
      assertThat(bytes).isLessThan(LoopAllocations.MOST_BYTES_A_PING);
    }
  }
}
