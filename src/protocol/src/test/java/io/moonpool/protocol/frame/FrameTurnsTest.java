package io.moonpool.protocol.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.Ping;
import io.moonpool.protocol.call.PingAnswer;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.moonpool.protocol.wire.Form;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * In which order the frames of several connections are served by one event loop. Calls take longer
 * than a round, and the first one holds the loop until all frames of the test are in its sockets.
 */
class FrameTurnsTest {
  private static final int CALLS = 100;
  private static final String PING = "ping";

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch allSent = new CountDownLatch(1);
  private final List<String> served = new CopyOnWriteArrayList<>();
  private final List<RawPeer> peers = new ArrayList<>();
  private FrameServer server;

  @BeforeEach
  void start() throws Exception {
    FrameDispatcher handlers =
        FrameDispatcher.builder()
            .onUrgent(Calls.PING, this::ping)
            .on(Calls.REMOVE_MATCHING, this::longCall)
            .build();
    server =
        Frames.await(FrameServer.listen(vertx, Frames.loopback(), handlers, FrameLimits.DEFAULT));
  }

  @AfterEach
  void stop() throws Exception {
    for (RawPeer peer : peers) {
      peer.close();
    }
    Frames.await(vertx.close());
  }

  private RawPeer peer() throws Exception {
    RawPeer peer = RawPeer.connect(server.port());
    peers.add(peer);
    // It is accepted: its frames come through its own socket from now on.
    peer.send(Frames.ping(0));
    peer.readResponse();
    return peer;
  }

  private Future<PingAnswer> ping(Ping ping) {
    served.add(PING);
    return Future.succeededFuture(new PingAnswer(ping.sequence(), PingStatus.OK, 7, 8));
  }

  private Future<Long> longCall(RemoveMatching call) {
    served.add(call.pattern());
    begun.countDown();
    try {
      allSent.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    long end = System.nanoTime() + 2 * FrameTurns.ROUND_NANOS;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    return Future.succeededFuture(0L);
  }

  private static ByteBuf calls(String of) {
    ByteBuf all = Unpooled.buffer();
    for (int i = 0; i < CALLS; i++) {
      all.writeBytes(
          Frames.request(Calls.REMOVE_MATCHING, new RemoveMatching("", of, false), i, Form.SHORT));
    }
    return all;
  }

  private void readAll(RawPeer peer, int responses) throws Exception {
    for (int i = 0; i < responses; i++) {
      peer.readResponse();
    }
  }

  @Test
  void aPingWaitsForACallOrTwoHoweverManyArePipelined() throws Exception {
    List<RawPeer> busy = List.of(peer(), peer(), peer());
    RawPeer node = peer();
    served.clear();
    busy.getFirst().send(calls("0"));
    assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    busy.get(1).send(calls("1"));
    busy.get(2).send(calls("2"));
    node.send(Frames.ping(1));
    allSent.countDown();

    assertThat(node.readResponse().sequence()).isEqualTo(1);
    for (RawPeer peer : busy) {
      readAll(peer, CALLS);
    }

    // The call that held the loop, and one for the round that was due before the sockets were
    // polled.
    assertThat(served.indexOf(PING)).isLessThanOrEqualTo(2);
    assertThat(served).hasSize(3 * CALLS + 1);
  }

  @Test
  void connectionsTakeTurns() throws Exception {
    List<RawPeer> busy = List.of(peer(), peer(), peer());
    served.clear();
    busy.getFirst().send(calls("0"));
    assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    busy.get(1).send(calls("1"));
    busy.get(2).send(calls("2"));
    allSent.countDown();
    for (RawPeer peer : busy) {
      readAll(peer, CALLS);
    }

    // From when all are in line until the first one has no calls left.
    int last = Math.min(served.lastIndexOf("0"), CALLS);
    for (int i = 10; i + 2 < last; i++) {
      assertThat(served.subList(i, i + 3)).containsExactlyInAnyOrder("0", "1", "2");
    }
    assertThat(served.subList(0, 10)).contains("1", "2");
  }

  @Test
  void pingsAreNotServedOutOfTurnInHeaps() throws Exception {
    RawPeer busy = peer();
    RawPeer flooding = peer();
    RawPeer other = peer();
    served.clear();
    busy.send(calls("0"));
    assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    ByteBuf pings = Unpooled.buffer();
    for (int i = 0; i < CALLS; i++) {
      pings.writeBytes(Frames.ping(i));
    }
    flooding.send(pings);
    other.send(calls("1"));
    allSent.countDown();
    readAll(flooding, CALLS);
    readAll(busy, CALLS);
    readAll(other, CALLS);

    // One out of turn, then it lines up like others.
    int first = served.indexOf(PING);
    assertThat(served.subList(first, first + 2)).isNotEqualTo(List.of(PING, PING));
  }
}
