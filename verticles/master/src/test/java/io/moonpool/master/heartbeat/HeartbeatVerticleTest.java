package io.moonpool.master.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.core.liveness.ClientRegistry;
import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.core.liveness.Registration;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.loop.MasterLoop;
import io.moonpool.master.loop.MasterLoops;
import io.moonpool.protocol.heartbeat.HeartbeatFrame;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HeartbeatVerticleTest {
  private static final UUID NODE = new UUID(7, 7);

  private MasterLoops loops;
  private ClientRegistry registry;
  private ObservedClock clock;
  private HeartbeatVerticle verticle;
  private Registration.Accepted node;

  @BeforeEach
  void start() throws Exception {
    loops = MasterLoops.build("moonpool", 1, 1_024, new VertxOptions(), UnaryOperator.identity());
    registry = new ClientRegistry(1);
    clock = new ObservedClock(System.nanoTime());
    node = (Registration.Accepted) registry.register(NODE, new UUID(8, 8), "", "", 0);
    verticle = verticle(MasterConfig.builder().ephemeral().build());
    await(loops.deploy(loops.heartbeat(), verticle));
  }

  private HeartbeatVerticle verticle(MasterConfig config) {
    return new HeartbeatVerticle(
        config,
        loops.heartbeat(),
        loops.transport().implementation(),
        new SlotRecorder(registry.published(), clock, 5),
        new ClientsById(),
        null);
  }

  @AfterEach
  void stop() throws Exception {
    await(loops.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket("127.0.0.1", verticle.port());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static byte[] ping(int slot, long incarnation, long sequence) {
    byte[] bytes = new byte[HeartbeatFrame.BYTES];
    HeartbeatFrame.setPing(Unpooled.wrappedBuffer(bytes), 0, slot, incarnation, sequence, 99);
    return bytes;
  }

  private static ByteBuf answer(Socket socket) throws IOException {
    byte[] bytes = new byte[HeartbeatFrame.BYTES];
    new DataInputStream(socket.getInputStream()).readFully(bytes);
    ByteBuf frame = Unpooled.wrappedBuffer(bytes);
    assertThat(HeartbeatFrame.isAnswer(frame, 0)).isTrue();
    return frame;
  }

  @Test
  void answersKnownIncarnationsOkAndOthersNeedRemount() throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(ping(node.slot(), node.incarnation(), 41));
      ByteBuf known = answer(socket);
      assertThat(HeartbeatFrame.status(known, 0)).isEqualTo(PingStatus.OK);
      assertThat(HeartbeatFrame.sequence(known, 0)).isEqualTo(41);
      assertThat(HeartbeatFrame.sentNanos(known, 0)).isEqualTo(99);

      socket.getOutputStream().write(ping(node.slot(), node.incarnation() + 1, 42));
      assertThat(HeartbeatFrame.status(answer(socket), 0)).isEqualTo(PingStatus.NEED_REMOUNT);
      socket.getOutputStream().write(ping(-5, node.incarnation(), 43));
      assertThat(HeartbeatFrame.status(answer(socket), 0)).isEqualTo(PingStatus.NEED_REMOUNT);
    }
    assertThat(verticle.pings()).isEqualTo(3);
  }

  @Test
  void takesPingsInAnyPieces() throws Exception {
    int pings = 100;
    byte[] all = new byte[pings * HeartbeatFrame.BYTES];
    for (int i = 0; i < pings; i++) {
      System.arraycopy(
          ping(node.slot(), node.incarnation(), i),
          0,
          all,
          i * HeartbeatFrame.BYTES,
          HeartbeatFrame.BYTES);
    }
    try (Socket socket = connect()) {
      for (int at = 0, length = 1; at < all.length; at += length, length = length * 3 % 1_777) {
        length = Math.min(length, all.length - at);
        socket.getOutputStream().write(all, at, length);
        socket.getOutputStream().flush();
      }
      for (int i = 0; i < pings; i++) {
        assertThat(HeartbeatFrame.sequence(answer(socket), 0)).isEqualTo(i);
      }
    }
  }

  private Socket node() throws IOException {
    Socket socket = connect();
    socket.getOutputStream().write(ping(node.slot(), node.incarnation(), 1));
    assertThat(HeartbeatFrame.status(answer(socket), 0)).isEqualTo(PingStatus.OK);
    return socket;
  }

  @Test
  void strangersGiveWayToNodesWhenThereAreTooManyConnections() throws Exception {
    verticle = verticle(MasterConfig.builder().ephemeral().maxConnections(3).build());
    await(loops.deploy(loops.heartbeat(), verticle));
    try (Socket oldest = connect();
        Socket unknownNode = connect()) {
      unknownNode.getOutputStream().write(ping(node.slot(), node.incarnation() + 1, 1));
      assertThat(HeartbeatFrame.status(answer(unknownNode), 0)).isEqualTo(PingStatus.NEED_REMOUNT);
      try (Socket first = node();
          Socket second = node()) {
        assertThat(oldest.getInputStream().read()).as("closed").isEqualTo(-1);
        assertThat(verticle.refusedConnections()).isEqualTo(1);
        try (Socket third = node()) {
          assertThat(unknownNode.getInputStream().read()).as("closed").isEqualTo(-1);
          assertThat(verticle.connections()).isEqualTo(3);

          // All are nodes': the next one is closed, theirs go on.
          try (Socket tooMany = connect()) {
            assertThat(tooMany.getInputStream().read()).isEqualTo(-1);
          }
          assertThat(verticle.refusedConnections()).isEqualTo(3);
          for (Socket each : List.of(first, second, third)) {
            each.getOutputStream().write(ping(node.slot(), node.incarnation(), 2));
            assertThat(HeartbeatFrame.sequence(answer(each), 0)).isEqualTo(2);
          }
        }
        // One has gone: there is room again.
        Awaitility.await().until(() -> verticle.connections() == 2);
        node().close();
      }
    }
    Awaitility.await().until(() -> verticle.connections() == 0);
  }

  @Test
  void closesWhoeverSendsSomethingElse() throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(new byte[HeartbeatFrame.BYTES]);
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void acceptsAndAnswersWhileEveryOtherLoopIsBlocked() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    var others = loops.all().stream().filter(loop -> loop != loops.heartbeat()).toList();
    CountDownLatch blocked = new CountDownLatch(others.size());
    for (MasterLoop loop : others) {
      loop.eventLoop()
          .execute(
              () -> {
                blocked.countDown();
                try {
                  go.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
    }
    blocked.await();
    try (Socket socket = connect()) {
      socket.getOutputStream().write(ping(node.slot(), node.incarnation(), 1));
      assertThat(HeartbeatFrame.status(answer(socket), 0)).isEqualTo(PingStatus.OK);
    } finally {
      go.countDown();
    }
  }

  @Test
  void aPingAllocatesNothing() throws Exception {
    try (Socket socket = connect()) {
      byte[] ping = ping(node.slot(), node.incarnation(), 1);
      byte[] answer = new byte[HeartbeatFrame.BYTES];
      var in = new DataInputStream(socket.getInputStream());
      double bytes =
          LoopAllocations.perExchange(
              loops.heartbeat(),
              () -> {
                socket.getOutputStream().write(ping);
                in.readFully(answer);
              });
      assertThat(bytes).isLessThan(LoopAllocations.MOST_BYTES_A_PING);
    }
  }

  @Test
  void timeInWhichNothingCouldBeHeardDoesNotCount() throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(ping(node.slot(), node.incarnation(), 1));
      answer(socket);
      CountDownLatch blocked = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      AtomicLong before = new AtomicLong();
      loops
          .heartbeat()
          .eventLoop()
          .execute(
              () -> {
                before.set(clock.millis());
                blocked.countDown();
                try {
                  go.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      blocked.await();
      long from = System.nanoTime();
      socket.getOutputStream().write(ping(node.slot(), node.incarnation(), 2));
      while (System.nanoTime() - from < 1_500_000_000L) {
        Thread.onSpinWait();
      }
      // Looked at on the loop itself, between its steps: this thread may be kept from looking.
      CompletableFuture<Long> firstStep = new CompletableFuture<>();
      loops.heartbeat().eventLoop().execute(() -> tellStep(before.get(), firstStep));
      go.countDown();
      long reading = firstStep.get(30, TimeUnit.SECONDS);

      assertThat(reading - before.get()).isLessThanOrEqualTo(ObservedClock.MAX_STEP_MILLIS);
      // The ping that had waited in the socket was read before the clock went on.
      answer(socket);
      assertThat(registry.list(reading, ignored -> 0).getFirst().silentMillis())
          .isLessThanOrEqualTo(ObservedClock.MAX_STEP_MILLIS);
    }
  }

  private void tellStep(long before, CompletableFuture<Long> firstStep) {
    if (clock.millis() == before) {
      loops.heartbeat().eventLoop().execute(() -> tellStep(before, firstStep));
    } else {
      firstStep.complete(clock.millis());
    }
  }

  @Test
  void theClockFollowsTheTimeThatGoesBy() {
    long from = System.nanoTime();
    long start = clock.millis();
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> clock.millis() >= start + 500);
    long elapsed = (System.nanoTime() - from) / 1_000_000;
    assertThat(elapsed).isGreaterThanOrEqualTo(500 - ObservedClock.STEP_MILLIS);
  }

  @Test
  void aTakenPortIsNamed() {
    MasterConfig taken = MasterConfig.builder().ephemeral().heartbeatPort(verticle.port()).build();
    assertThatThrownBy(() -> await(loops.deploy(loops.heartbeat(), verticle(taken))))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("heartbeat_port " + verticle.port());
  }

  @Test
  void refusesAnyOtherLoop() {
    MasterConfig config = MasterConfig.builder().ephemeral().build();
    assertThatThrownBy(() -> await(loops.deploy(loops.control(), verticle(config))))
        .hasMessageContaining("moonpool-heartbeat");
  }
}
