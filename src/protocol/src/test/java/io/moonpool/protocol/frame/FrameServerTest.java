package io.moonpool.protocol.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.call.ObjectPage;
import io.moonpool.protocol.call.Ping;
import io.moonpool.protocol.call.PingAnswer;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.frame.RawPeer.Response;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.moonpool.protocol.wire.Form;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetServerOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server does with well-behaved and with broken peers, over real sockets. */
class FrameServerTest {
  private static final FrameLimits LIMITS = FrameLimits.DEFAULT;

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
  private FrameServer server;

  @AfterEach
  void stop() throws Exception {
    Frames.await(vertx.close());
  }

  private RawPeer start(FrameDispatcher.Builder handlers, FrameLimits limits) throws Exception {
    server = Frames.await(FrameServer.listen(vertx, Frames.loopback(), handlers.build(), limits));
    return RawPeer.connect(server.port());
  }

  private static FrameDispatcher.Builder pings() {
    return FrameDispatcher.builder().on(Calls.PING, FrameServerTest::pong);
  }

  private static Future<PingAnswer> pong(Ping ping) {
    return Future.succeededFuture(new PingAnswer(ping.sequence(), PingStatus.OK, 7, 8));
  }

  private static PingAnswer decodePong(Response response) {
    assertThat(response.error()).isZero();
    return Calls.PING.answer().decode(Unpooled.wrappedBuffer(response.body()));
  }

  private long count(FrameCounter counter) {
    return server.counters().get(counter);
  }

  private static void assertAnswers(RawPeer peer, int sequence) throws Exception {
    peer.send(Frames.ping(sequence));
    Response response = peer.readResponse();
    assertThat(response.sequence()).isEqualTo(sequence);
    assertThat(decodePong(response)).isEqualTo(new PingAnswer(sequence, PingStatus.OK, 7, 8));
  }

  @Test
  void answersInTheFormOfTheRequest() throws Exception {
    try (RawPeer peer = start(pings(), LIMITS)) {
      for (Form form : Form.values()) {
        peer.send(Frames.request(Calls.PING, new Ping(1, 2, 3), 9, form));
        Response response = peer.readResponse();
        assertThat(Form.of(Unpooled.wrappedBuffer(response.body()), Form.SHORT)).isEqualTo(form);
        assertThat(decodePong(response)).isEqualTo(new PingAnswer(3, PingStatus.OK, 7, 8));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"magic", "version", "length", "attachment"})
  void frameThatCannotBeTrustedClosesItsConnectionOnly(String broken) throws Exception {
    try (RawPeer peer = start(pings(), LIMITS);
        RawPeer other = RawPeer.connect(server.port())) {
      ByteBuf frame = Frames.ping(1);
      switch (broken) {
        case "magic" -> frame.setByte(0, 'G');
        case "version" -> frame.setByte(1, 1);
        case "length" -> frame.setIntLE(FrameHeader.REQUEST_BODY_AT, -1);
        default -> frame.setIntLE(FrameHeader.REQUEST_ATTACHMENT_AT, -1);
      }

      peer.send(frame);

      assertThat(peer.isClosedByPeer()).isTrue();
      assertThat(count(FrameCounter.MALFORMED_FRAMES)).isEqualTo(1);
      assertAnswers(other, 5);
    }
  }

  @Test
  void wrongFirstByteClosesWithoutAWholeHeader() throws Exception {
    try (RawPeer peer = start(pings(), LIMITS)) {
      peer.send(new byte[] {'G'});

      assertThat(peer.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void unknownFunctionIsAnswered() throws Exception {
    try (RawPeer peer = start(pings(), LIMITS)) {
      ByteBuf frame = Frames.ping(7);
      frame.setIntLE(FrameHeader.FUNCTION_AT, 0x12345678);

      peer.send(frame);

      Response response = peer.readResponse();
      assertThat(response.error()).isEqualTo(11);
      assertThat(response.sequence()).isEqualTo(7);
      assertThat(FrameHeader.ERROR_TEXT.decode(Unpooled.wrappedBuffer(response.body())))
          .isEqualTo("no function has the id 0x12345678");
      assertThat(count(FrameCounter.UNKNOWN_FUNCTIONS)).isEqualTo(1);
      assertAnswers(peer, 8);
    }
  }

  @Test
  void badArgumentsAreAnswered() throws Exception {
    try (RawPeer peer = start(pings(), LIMITS)) {
      ByteBuf cut = Frames.ping(7);
      cut.writerIndex(cut.writerIndex() - 1);
      cut.setIntLE(FrameHeader.REQUEST_BODY_AT, cut.readableBytes() - FrameHeader.REQUEST_BYTES);
      peer.send(cut);
      ByteBuf empty = Frames.ping(8).writerIndex(FrameHeader.REQUEST_BYTES);
      empty.setIntLE(FrameHeader.REQUEST_BODY_AT, 0);
      peer.send(empty);
      ByteBuf foreign = Frames.ping(9);
      foreign.setByte(FrameHeader.SERIALISATION_AT, 3);
      peer.send(foreign);

      for (int sequence = 7; sequence <= 9; sequence++) {
        Response response = peer.readResponse();
        assertThat(response.error()).isEqualTo(4);
        assertThat(response.sequence()).isEqualTo(sequence);
        assertThat(FrameHeader.ERROR_TEXT.decode(Unpooled.wrappedBuffer(response.body())))
            .startsWith("bad arguments: ");
      }
      assertThat(count(FrameCounter.MALFORMED_BODIES)).isEqualTo(3);
      assertAnswers(peer, 10);
    }
  }

  @Test
  void failuresOfHandlers() throws Exception {
    StoreException known = new StoreException(ErrorCode.INVALID_PARAMS, "no");
    FrameDispatcher.Builder handlers =
        pings()
            .on(
                Calls.REMOVE_MATCHING,
                request ->
                    switch (request.pattern()) {
                      case "thrown" -> throw known;
                      case "failed" -> Future.failedFuture(known);
                      case "bug thrown" -> throw new IllegalStateException("secret");
                      case "bug failed" -> Future.failedFuture(new IllegalStateException("secret"));
                      default -> Future.succeededFuture(); // no result: a bug as well
                    });
    try (RawPeer peer = start(handlers, LIMITS)) {
      for (String pattern : List.of("thrown", "failed")) {
        peer.send(remove(pattern));
        byte[] body = peer.readResponse().body();
        assertThatThrownBy(
                () -> Calls.REMOVE_MATCHING.answer().decode(Unpooled.wrappedBuffer(body)))
            .isInstanceOf(StoreException.class)
            .hasMessage("INVALID_PARAMS: no");
      }
      for (String pattern : List.of("bug thrown", "bug failed", "bug null")) {
        peer.send(remove(pattern));
        Response response = peer.readResponse();
        assertThat(response.error()).isEqualTo(10);
        assertThat(FrameHeader.ERROR_TEXT.decode(Unpooled.wrappedBuffer(response.body())))
            .contains("RemoveMatching failed")
            .doesNotContain("secret");
      }
      assertThat(count(FrameCounter.FAILED_CALLS)).isEqualTo(2);
      assertThat(count(FrameCounter.EXCEPTIONS)).isEqualTo(3);
      assertAnswers(peer, 1);
    }
  }

  private static ByteBuf list(int sequence) {
    return Frames.request(Calls.LIST, new ListObjects("", "", 0, 1), sequence, Form.SHORT);
  }

  private static ByteBuf remove(String pattern) {
    return Frames.request(
        Calls.REMOVE_MATCHING, new RemoveMatching("", pattern, false), 3, Form.SHORT);
  }

  @Test
  void answerAboveTheLimitIsAFault() throws Exception {
    FrameDispatcher.Builder handlers =
        pings()
            .on(
                Calls.EXISTS,
                request -> Future.succeededFuture(Collections.nCopies(5_000, Outcome.of(true))));
    FrameLimits limits = new FrameLimits(1_000, 10, 1 << 20, 60_000);
    try (RawPeer peer = start(handlers, limits)) {
      peer.send(Frames.request(Calls.EXISTS, Frames.keys(0), 1, Form.SHORT));

      assertThat(peer.readResponse().error()).isEqualTo(10);
      assertAnswers(peer, 2);
    }
  }

  @Test
  void frameMayArriveInPieces() throws Exception {
    try (RawPeer peer = start(pings(), LIMITS)) {
      ByteBuf frames = Unpooled.wrappedBuffer(Frames.ping(1), Frames.ping(2), Frames.ping(3));
      byte[] bytes = new byte[frames.readableBytes()];
      frames.readBytes(bytes);
      for (byte each : bytes) {
        peer.send(new byte[] {each});
      }
      for (int sequence = 1; sequence <= 3; sequence++) {
        assertThat(decodePong(peer.readResponse()).sequence()).isEqualTo(sequence);
      }
    }
  }

  @Test
  void attachmentIsSkipped() throws Exception {
    try (RawPeer peer = start(pings(), LIMITS)) {
      ByteBuf frame = Frames.ping(1);
      frame.setIntLE(FrameHeader.REQUEST_ATTACHMENT_AT, 3);
      peer.send(frame.writeBytes(new byte[] {0x15, 1, 2}));

      assertThat(decodePong(peer.readResponse()).sequence()).isEqualTo(1);
      assertAnswers(peer, 2);
    }
  }

  @Test
  void largeFrameThatArrivesInManyReads() throws Exception {
    AtomicInteger keys = new AtomicInteger();
    FrameDispatcher.Builder handlers =
        pings()
            .on(
                Calls.EXISTS,
                request -> {
                  keys.set(request.keys().size());
                  return Future.succeededFuture(List.of());
                });
    try (RawPeer peer = start(handlers, LIMITS)) {
      peer.send(Frames.request(Calls.EXISTS, Frames.keys(20_000_000), 1, Form.SHORT));

      assertThat(peer.readResponse().error()).isZero();
      assertThat(keys).hasValue(20_000);
    }
  }

  @Test
  void manyPipelinedCallsAreAllAnswered() throws Exception {
    int calls = 10_000;
    try (RawPeer peer = start(pings(), LIMITS)) {
      ByteBuf all = Unpooled.buffer();
      for (int i = 0; i < calls; i++) {
        all.writeBytes(Frames.ping(i));
      }
      Thread writer = Thread.ofVirtual().start(() -> sendQuietly(peer, all));

      BitSet answered = new BitSet();
      for (int i = 0; i < calls; i++) {
        Response response = peer.readResponse();
        assertThat(decodePong(response).sequence()).isEqualTo(response.sequence());
        answered.set(response.sequence());
      }
      writer.join();
      assertThat(answered.cardinality()).isEqualTo(calls);
      assertThat(count(FrameCounter.FRAMES_IN)).isEqualTo(calls);
      assertThat(count(FrameCounter.FRAMES_OUT)).isEqualTo(calls);
      assertThat(count(FrameCounter.BYTES_IN)).isEqualTo(all.writerIndex());
    }
  }

  private static void sendQuietly(RawPeer peer, ByteBuf bytes) {
    try {
      peer.send(bytes);
    } catch (IOException e) {
      // The test's own reads tell what happened.
    }
  }

  @Test
  void answersOvertakeSlowerOnes() throws Exception {
    AtomicReference<Promise<Long>> slow = new AtomicReference<>();
    FrameDispatcher.Builder handlers =
        pings()
            .on(
                Calls.REMOVE_MATCHING,
                request -> {
                  Promise<Long> promise = Promise.promise();
                  slow.set(promise);
                  return promise.future();
                });
    try (RawPeer peer = start(handlers, LIMITS)) {
      peer.send(remove("slow")); // sequence 3
      assertAnswers(peer, 4);
      assertThat(count(FrameCounter.IN_FLIGHT)).isEqualTo(1);

      // From a thread that is not the connection's.
      slow.get().complete(42L);

      Response response = peer.readResponse();
      assertThat(response.sequence()).isEqualTo(3);
      assertThat(Calls.REMOVE_MATCHING.answer().decode(Unpooled.wrappedBuffer(response.body())))
          .isEqualTo(42L);
      assertThat(count(FrameCounter.IN_FLIGHT)).isZero();
    }
  }

  @Test
  void requestsInFlightAreBounded() throws Exception {
    List<Promise<PingAnswer>> held = new CopyOnWriteArrayList<>();
    FrameDispatcher.Builder handlers =
        FrameDispatcher.builder()
            .on(
                Calls.PING,
                ping -> {
                  Promise<PingAnswer> promise = Promise.promise();
                  held.add(promise);
                  return promise.future();
                });
    try (RawPeer peer = start(handlers, new FrameLimits(1 << 20, 4, 1 << 20, 60_000))) {
      for (int i = 0; i < 10; i++) {
        peer.send(Frames.ping(i));
      }
      Frames.eventually().until(() -> held.size() == 4);
      // A later connection is served in the meantime: the loop had its chance to read more.
      try (RawPeer other = RawPeer.connect(server.port())) {
        other.send(Frames.ping(100));
        Frames.eventually().until(() -> held.size() == 5);
      }
      assertThat(count(FrameCounter.FRAMES_IN)).isEqualTo(5);

      for (int answered = 0; answered < 10; answered++) {
        int next = answered < 4 ? answered : answered + 1;
        Frames.eventually().until(() -> held.size() > next);
        held.get(next).complete(new PingAnswer(answered, PingStatus.OK, 7, 8));
        assertThat(decodePong(peer.readResponse()).sequence()).isEqualTo(answered);
      }
    }
  }

  @Test
  void bytesInFlightAreBounded() throws Exception {
    List<Promise<List<Outcome<Boolean>>>> held = new CopyOnWriteArrayList<>();
    FrameDispatcher.Builder handlers =
        pings()
            .on(
                Calls.EXISTS,
                request -> {
                  Promise<List<Outcome<Boolean>>> promise = Promise.promise();
                  held.add(promise);
                  return promise.future();
                });
    try (RawPeer peer = start(handlers, new FrameLimits(1 << 20, 1_000, 100_000, 60_000))) {
      ByteBuf frame = Frames.request(Calls.EXISTS, Frames.keys(60_000), 1, Form.SHORT);
      for (int i = 0; i < 5; i++) {
        peer.send(frame);
      }
      Frames.eventually().until(() -> held.size() == 2);
      try (RawPeer other = RawPeer.connect(server.port())) {
        assertAnswers(other, 1);
      }
      assertThat(held).hasSize(2);

      for (int i = 0; i < 5; i++) {
        int next = i;
        Frames.eventually().until(() -> held.size() > next);
        held.get(i).complete(List.of());
        assertThat(peer.readResponse().error()).isZero();
      }
    }
  }

  @Test
  void peerThatDoesNotReadIsNotServedFurther() throws Exception {
    AtomicInteger served = new AtomicInteger();
    ObjectPage answer = Frames.page(100_000);
    FrameDispatcher.Builder handlers =
        pings()
            .on(
                Calls.LIST,
                request -> {
                  served.incrementAndGet();
                  return Future.succeededFuture(answer);
                });
    int calls = 400; // 40 MB of answers, far more than what sockets hold
    server = Frames.await(FrameServer.listen(vertx, Frames.loopback(), handlers.build(), LIMITS));
    try (RawPeer peer = RawPeer.connect(server.port(), 16 << 10)) {
      for (int i = 0; i < calls; i++) {
        peer.send(list(i));
      }
      Frames.eventually().until(() -> served.get() > 0 && stoppedChanging(served));
      assertThat(served.get()).isLessThan(calls);

      for (int i = 0; i < calls; i++) {
        assertThat(peer.readResponse().sequence()).isEqualTo(i);
      }
      assertThat(served).hasValue(calls);
    }
  }

  /** True when another connection was served three times without a change. */
  private boolean stoppedChanging(AtomicInteger value) throws Exception {
    int before = value.get();
    try (RawPeer other = RawPeer.connect(server.port())) {
      for (int i = 0; i < 3; i++) {
        assertAnswers(other, i);
      }
    }
    return value.get() == before;
  }

  @Test
  void peerThatStopsInsideAFrameIsDropped() throws Exception {
    try (RawPeer peer = start(pings(), new FrameLimits(1 << 20, 10, 1 << 20, 100))) {
      assertAnswers(peer, 1);
      peer.send(Frames.ping(2).writerIndex(25));

      assertThat(peer.isClosedByPeer()).isTrue();
      assertThat(count(FrameCounter.STALLED_CONNECTIONS)).isEqualTo(1);
    }
  }

  @Test
  void peerThatNeverReadsIsDropped() throws Exception {
    ObjectPage answer = Frames.page(1_000_000);
    FrameDispatcher.Builder handlers =
        pings().on(Calls.LIST, request -> Future.succeededFuture(answer));
    server =
        Frames.await(
            FrameServer.listen(
                vertx,
                Frames.loopback(),
                handlers.build(),
                new FrameLimits(1 << 22, 10, 1 << 20, 200)));
    try (RawPeer peer = RawPeer.connect(server.port(), 16 << 10)) {
      for (int i = 0; i < 40; i++) {
        peer.send(list(i));
      }

      Frames.eventually().until(() -> count(FrameCounter.STALLED_CONNECTIONS) == 1);
      assertThat(count(FrameCounter.CONNECTIONS_CLOSED)).isEqualTo(1);
    }
  }

  @Test
  void idlePeerIsKept() throws Exception {
    try (RawPeer peer = start(pings(), new FrameLimits(1 << 20, 10, 1 << 20, 20));
        RawPeer broken = RawPeer.connect(server.port())) {
      assertAnswers(peer, 1);
      broken.send(new byte[] {0x15});
      // The broken one has been given up, so the idle one had the same time.
      assertThat(broken.isClosedByPeer()).isTrue();

      assertAnswers(peer, 2);
    }
  }

  @Test
  void connectionLostInFlightIsForgotten() throws Exception {
    List<Promise<PingAnswer>> held = new CopyOnWriteArrayList<>();
    FrameDispatcher.Builder handlers =
        FrameDispatcher.builder()
            .on(
                Calls.PING,
                ping -> {
                  Promise<PingAnswer> promise = Promise.promise();
                  held.add(promise);
                  return promise.future();
                });
    try (RawPeer peer = start(handlers, LIMITS)) {
      peer.send(Frames.ping(1));
      peer.send(Frames.ping(2));
      Frames.eventually().until(() -> held.size() == 2);
      assertThat(count(FrameCounter.IN_FLIGHT)).isEqualTo(2);
    }
    Frames.eventually().until(() -> count(FrameCounter.CONNECTIONS_CLOSED) == 1);
    assertThat(count(FrameCounter.IN_FLIGHT)).isZero();

    held.forEach(promise -> promise.complete(new PingAnswer(1, PingStatus.OK, 7, 8)));

    try (RawPeer peer = RawPeer.connect(server.port())) {
      peer.send(Frames.ping(3));
      Frames.eventually().until(() -> held.size() == 3);
    }
    assertThat(count(FrameCounter.EXCEPTIONS)).isZero();
    assertThat(count(FrameCounter.FRAMES_OUT)).isZero();
  }

  @Test
  void handlersRunOnTheContextOfTheServer() throws Exception {
    AtomicReference<Context> handlerContext = new AtomicReference<>();
    FrameDispatcher dispatcher =
        FrameDispatcher.builder()
            .on(
                Calls.LIST,
                (ListObjects request) -> {
                  handlerContext.set(Vertx.currentContext());
                  return Future.succeededFuture(new ObjectPage(List.of(), 0));
                })
            .build();
    Context serverContext = vertx.getOrCreateContext();
    server =
        Frames.await(
            Future.future(
                promise ->
                    serverContext.runOnContext(
                        v ->
                            FrameServer.listen(vertx, Frames.loopback(), dispatcher, LIMITS)
                                .onComplete(promise))));
    try (RawPeer peer = RawPeer.connect(server.port())) {
      peer.send(list(1));

      assertThat(peer.readResponse().error()).isZero();
      assertThat(handlerContext.get()).isSameAs(serverContext);
    }
  }

  @Test
  void floodOfCallsLetsOtherTasksOfTheLoopRun() throws Exception {
    int calls = 200;
    List<String> order = new ArrayList<>(); // the loop's thread only
    AtomicInteger served = new AtomicInteger();
    FrameDispatcher.Builder handlers =
        FrameDispatcher.builder()
            .on(
                Calls.PING,
                ping -> {
                  if (ping.sequence() == 0) {
                    Vertx.currentContext().runOnContext(v -> order.add("task"));
                  }
                  busy(TimeUnit.MICROSECONDS.toNanos(100));
                  order.add("call");
                  served.incrementAndGet();
                  return pong(ping);
                });
    try (RawPeer peer = start(handlers, LIMITS)) {
      ByteBuf all = Unpooled.buffer();
      for (int i = 0; i < calls; i++) {
        all.writeBytes(Frames.ping(i));
      }
      peer.send(all);
      for (int i = 0; i < calls; i++) {
        peer.readResponse();
      }
      assertThat(served).hasValue(calls);
      // All calls came in one read and take 20 ms; the task had its turn after the first slice.
      assertThat(order.indexOf("task")).isBetween(1, 100);
    }
  }

  private static void busy(long nanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      Thread.onSpinWait();
    }
  }

  @Test
  void twoServersShareAPort() throws Exception {
    NetServerOptions shared = Frames.loopback().setPort(-1);
    server = Frames.await(FrameServer.listen(vertx, shared, pings().build(), LIMITS));
    FrameServer second = Frames.await(FrameServer.listen(vertx, shared, pings().build(), LIMITS));
    assertThat(second.port()).isEqualTo(server.port());

    List<RawPeer> peers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      RawPeer peer = RawPeer.connect(server.port());
      peers.add(peer);
      assertAnswers(peer, i);
    }
    assertThat(count(FrameCounter.FRAMES_IN)).isEqualTo(2);
    assertThat(second.counters().get(FrameCounter.FRAMES_IN)).isEqualTo(2);
    for (RawPeer peer : peers) {
      peer.close();
    }
  }

  @Test
  void workerContextIsRefused() {
    Future<String> deployed =
        vertx.deployVerticle(
            () ->
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    return FrameServer.listen(vertx, Frames.loopback(), pings().build(), LIMITS);
                  }
                },
            new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER));

    assertThat(deployed.toCompletionStage())
        .failsWithin(20, TimeUnit.SECONDS)
        .withThrowableOfType(Exception.class)
        .withMessageContaining("needs an event loop");
  }

  @Test
  void sameCallTwiceIsRefused() {
    assertThatThrownBy(() -> pings().on(Calls.PING, FrameServerTest::pong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("same id");
  }
}
