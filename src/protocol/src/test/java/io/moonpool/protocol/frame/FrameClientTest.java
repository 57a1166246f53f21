package io.moonpool.protocol.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.call.HelloAnswer;
import io.moonpool.protocol.call.Ping;
import io.moonpool.protocol.call.PingAnswer;
import io.moonpool.protocol.frame.RawPeer.Request;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client does when the peer is slow, wrong, or gone. */
class FrameClientTest {
  private static final Ping PING = new Ping(1, 2, 3);
  private static final PingAnswer PONG = new PingAnswer(3, PingStatus.OK, 7, 8);

  private final Vertx vertx = Vertx.vertx();
  private ServerSocket listener;
  private FrameClient client;

  @BeforeEach
  void start() throws Exception {
    listener = RawPeer.listen();
    client = FrameClient.create(vertx, options());
  }

  @AfterEach
  void stop() throws Exception {
    Frames.await(vertx.close());
    listener.close();
  }

  private FrameClientOptions options() {
    return FrameClientOptions.of("127.0.0.1", listener.getLocalPort());
  }

  private static StoreException failure(Future<?> future) throws Exception {
    try {
      Object result = Frames.await(future);
      throw new AssertionError("succeeded with " + result);
    } catch (ExecutionException e) {
      assertThat(e.getCause()).isInstanceOf(StoreException.class);
      return (StoreException) e.getCause();
    }
  }

  private static void assertFails(Future<?> future, ErrorCode code, String message)
      throws Exception {
    StoreException failure = failure(future);
    assertThat(failure).hasMessageContaining(message);
    assertThat(failure.code()).isEqualTo(code);
  }

  private long count(FrameCounter counter) {
    return client.counters().get(counter);
  }

  private static void answer(RawPeer peer) throws Exception {
    peer.send(Frames.response(Calls.PING, PONG, peer.readRequest().sequence()));
  }

  @Test
  void sequencesStartAtZeroOnEachConnection() throws Exception {
    for (int connection = 0; connection < 2; connection++) {
      Future<PingAnswer> first = client.call(Calls.PING, PING);
      try (RawPeer peer = RawPeer.accept(listener)) {
        Future<PingAnswer> second = client.call(Calls.PING, PING);
        List<Request> requests = List.of(peer.readRequest(), peer.readRequest());
        assertThat(requests).extracting(Request::sequence).containsExactly(0, 1);
        assertThat(requests).extracting(Request::functionId).containsOnly(Calls.PING.functionId());

        // Out of order: each answer finds its call.
        peer.send(Frames.response(Calls.PING, new PingAnswer(11, PingStatus.OK, 7, 8), 1));
        peer.send(Frames.response(Calls.PING, new PingAnswer(10, PingStatus.OK, 7, 8), 0));

        assertThat(Frames.await(first).sequence()).isEqualTo(10);
        assertThat(Frames.await(second).sequence()).isEqualTo(11);
      }
      int opened = connection + 1;
      Frames.eventually().until(() -> count(FrameCounter.CONNECTIONS_CLOSED) == opened);
    }
  }

  @Test
  void lostConnectionFailsCallsInFlightAndTheNextCallReconnects() throws Exception {
    List<Future<PingAnswer>> calls = new ArrayList<>();
    calls.add(client.call(Calls.PING, PING));
    try (RawPeer peer = RawPeer.accept(listener)) {
      answer(peer);
      Frames.await(calls.getFirst());
      for (int i = 0; i < 10; i++) {
        calls.add(client.call(Calls.PING, PING));
      }
      peer.readRequest();
    }
    for (Future<PingAnswer> call : calls.subList(1, 11)) {
      assertFails(call, ErrorCode.RPC_FAIL, "connection");
    }
    assertThat(count(FrameCounter.IN_FLIGHT)).isZero();

    Future<PingAnswer> next = client.call(Calls.PING, PING);
    try (RawPeer peer = RawPeer.accept(listener)) {
      answer(peer);
      assertThat(Frames.await(next)).isEqualTo(PONG);
    }
  }

  @Test
  void callWithoutAnswerTimesOutAndALateAnswerIsDropped() throws Exception {
    Future<PingAnswer> slow = client.call(Calls.PING, PING, 50);
    Future<PingAnswer> patient = client.call(Calls.PING, PING);
    try (RawPeer peer = RawPeer.accept(listener)) {
      int slowSequence = peer.readRequest().sequence();
      int patientSequence = peer.readRequest().sequence();

      assertFails(slow, ErrorCode.RPC_TIMEOUT, "no answer from 127.0.0.1");
      assertThat(count(FrameCounter.TIMEOUTS)).isEqualTo(1);
      assertThat(count(FrameCounter.IN_FLIGHT)).isEqualTo(1);

      peer.send(Frames.response(Calls.PING, PONG, slowSequence));
      peer.send(Frames.response(Calls.PING, PONG, patientSequence));

      assertThat(Frames.await(patient)).isEqualTo(PONG);
      assertThat(count(FrameCounter.LATE_ANSWERS)).isEqualTo(1);
    }
  }

  @Test
  void silentPeerIsGivenUp() throws Exception {
    FrameClient wary = FrameClient.create(vertx, options().withConnectTimeoutMillis(2_000));
    Future<PingAnswer> patient = wary.call(Calls.PING, PING);
    Future<PingAnswer> hasty = wary.call(Calls.PING, PING, 50);
    Future<PingAnswer> timely = wary.call(Calls.PING, PING, 2_000);
    try (RawPeer peer = RawPeer.accept(listener)) {
      // A hasty call says nothing about the peer, one that waited does.
      assertFails(hasty, ErrorCode.RPC_TIMEOUT, "in time");
      assertFails(timely, ErrorCode.RPC_TIMEOUT, "in time");
      assertFails(patient, ErrorCode.RPC_FAIL, "has fallen silent");
      assertThat(peer.drain()).isPositive();
    }
  }

  @Test
  void peerThatAnswersOthersIsKept() throws Exception {
    FrameClient wary = FrameClient.create(vertx, options().withConnectTimeoutMillis(2_000));
    Future<PingAnswer> slow = wary.call(Calls.PING, PING, 2_000);
    Future<PingAnswer> other = wary.call(Calls.PING, PING);
    try (RawPeer peer = RawPeer.accept(listener)) {
      int sequence = peer.readRequest().sequence();
      answer(peer);
      assertThat(Frames.await(other)).isEqualTo(PONG);
      assertFails(slow, ErrorCode.RPC_TIMEOUT, "in time");

      peer.send(Frames.response(Calls.PING, PONG, sequence));
      Future<PingAnswer> next = wary.call(Calls.PING, PING);
      answer(peer);
      assertThat(Frames.await(next)).isEqualTo(PONG);
      assertThat(wary.counters().get(FrameCounter.CONNECTIONS_OPENED)).isEqualTo(1);
    }
  }

  @Test
  void timeoutsOfDifferentLengthsAllFire() throws Exception {
    List<Future<PingAnswer>> calls = new ArrayList<>();
    for (long millis : new long[] {200, 50, 100, 0}) {
      calls.add(client.call(Calls.PING, PING, millis));
    }
    for (Future<PingAnswer> call : calls) {
      assertFails(call, ErrorCode.RPC_TIMEOUT, "in time");
    }
  }

  @Test
  void nobodyListening() throws Exception {
    int port = listener.getLocalPort();
    listener.close();

    assertFails(client.call(Calls.PING, PING), ErrorCode.RPC_FAIL, "cannot connect to 127.0.0.1");

    // Once somebody listens, a call gets through after the pause.
    listener = new ServerSocket(port, 50, listener.getInetAddress());
    Thread.ofVirtual().start(this::answerOne);
    Frames.eventually()
        .pollInterval(5, TimeUnit.MILLISECONDS)
        .until(() -> Frames.await(client.call(Calls.PING, PING).transform(this::succeeded)));
  }

  private Future<Boolean> succeeded(AsyncResult<PingAnswer> result) {
    return Future.succeededFuture(result.succeeded());
  }

  private void answerOne() {
    try (RawPeer peer = RawPeer.accept(listener)) {
      answer(peer);
      peer.isClosedByPeer();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void callsDuringThePauseFailAtOnceWithTheReason() throws Exception {
    listener.close();
    CompletableFuture<StoreException> second = new CompletableFuture<>();

    client
        .call(Calls.PING, PING)
        .onFailure(
            // On the client's loop, so the pause of 10 ms has just begun.
            first ->
                client
                    .call(Calls.PING, PING)
                    .onFailure(failure -> second.complete((StoreException) failure)));

    assertThat(second.get(20, TimeUnit.SECONDS))
        .hasMessageContaining("cannot connect")
        .extracting(StoreException::code)
        .isEqualTo(ErrorCode.RPC_FAIL);
  }

  @Test
  void peerThatClosesBeforeItAnswersIsNotReconnectedInALoop() throws Exception {
    Future<PingAnswer> call = client.call(Calls.PING, PING);
    RawPeer.accept(listener).close();

    assertFails(call, ErrorCode.RPC_FAIL, "");
    assertThat(count(FrameCounter.CONNECTIONS_OPENED)).isEqualTo(1);
  }

  @Test
  void peerThatSpeaksAnotherProtocol() throws Exception {
    Future<PingAnswer> call = client.call(Calls.PING, PING);
    try (RawPeer peer = RawPeer.accept(listener)) {
      peer.readRequest();
      peer.send("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes());

      assertFails(call, ErrorCode.RPC_FAIL, "does not speak this protocol");
      assertThat(count(FrameCounter.MALFORMED_FRAMES)).isEqualTo(1);
    }
  }

  @Test
  void answerOfFourGigabytesIsRefused() throws Exception {
    Future<PingAnswer> call = client.call(Calls.PING, PING);
    try (RawPeer peer = RawPeer.accept(listener)) {
      peer.readRequest();
      ByteBuf frame = Frames.response(Calls.PING, PONG, 0);
      peer.send(frame.setIntLE(FrameHeader.RESPONSE_BODY_AT, -1));

      assertFails(call, ErrorCode.RPC_FAIL, "4294967295 bytes exceeds the limit");
      assertThat(peer.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void malformedAnswerFailsItsCallOnly() throws Exception {
    Future<PingAnswer> bad = client.call(Calls.PING, PING);
    Future<PingAnswer> good = client.call(Calls.PING, PING);
    try (RawPeer peer = RawPeer.accept(listener)) {
      peer.readRequest();
      peer.readRequest();
      ByteBuf frame = Frames.response(Calls.PING, PONG, 0);
      frame.setByte(frame.writerIndex() - 13, 77); // no such status, before epoch and view
      peer.send(frame);
      peer.send(Frames.response(Calls.PING, PONG, 1));

      assertFails(bad, ErrorCode.DESERIALIZE_FAIL, "no PingStatus has the number 77");
      assertThat(Frames.await(good)).isEqualTo(PONG);
      assertThat(count(FrameCounter.MALFORMED_BODIES)).isEqualTo(1);
    }
  }

  @Test
  void errorsOfTheServer() throws Exception {
    List<Future<PingAnswer>> calls = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      calls.add(client.call(Calls.PING, PING));
    }
    try (RawPeer peer = RawPeer.accept(listener)) {
      for (int i = 0; i < 4; i++) {
        peer.readRequest();
      }
      peer.send(Frames.errorResponse(0, 4, "bad"));
      peer.send(Frames.errorResponse(1, 10, "broken"));
      peer.send(Frames.errorResponse(2, 11, "unknown"));
      ByteBuf unreadable = Frames.errorResponse(3, 255, "x");
      peer.send(unreadable.setByte(FrameHeader.RESPONSE_BYTES, 0));

      assertFails(calls.get(0), ErrorCode.DESERIALIZE_FAIL, "Ping: bad");
      assertFails(calls.get(1), ErrorCode.INTERNAL_ERROR, "Ping: broken");
      assertFails(calls.get(2), ErrorCode.NOT_SUPPORTED, "Ping: unknown");
      assertFails(calls.get(3), ErrorCode.INTERNAL_ERROR, "the error 255");
    }
  }

  @Test
  void callsUnderWayAreBounded() throws Exception {
    FrameLimits limits = new FrameLimits(1 << 20, 3, 1 << 20, 60_000);
    FrameClient small = FrameClient.create(vertx, options().withLimits(limits));
    List<Future<PingAnswer>> calls = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      calls.add(small.call(Calls.PING, PING));
    }
    assertFails(calls.get(3), ErrorCode.KEYS_ULTRA_LIMIT, "3 calls");
    try (RawPeer peer = RawPeer.accept(listener)) {
      for (int i = 0; i < 3; i++) {
        answer(peer);
        assertThat(Frames.await(calls.get(i))).isEqualTo(PONG);
      }
      Future<PingAnswer> again = small.call(Calls.PING, PING);
      answer(peer);
      assertThat(Frames.await(again)).isEqualTo(PONG);
    }
  }

  @Test
  void requestAboveTheLimitIsNotSent() throws Exception {
    FrameLimits limits = new FrameLimits(1_000, 3, 1 << 20, 60_000);
    FrameClient small = FrameClient.create(vertx, options().withLimits(limits));

    assertFails(
        small.call(Calls.EXISTS, Frames.keys(2_000)),
        ErrorCode.INVALID_PARAMS,
        "exceeds the limit of 1000");
  }

  @Test
  void closingFailsCallsUnderWayAndLaterOnes() throws Exception {
    Future<PingAnswer> call = client.call(Calls.PING, PING);
    try (RawPeer peer = RawPeer.accept(listener)) {
      peer.readRequest();

      Frames.await(client.close());

      assertFails(call, ErrorCode.RPC_FAIL, "the client was closed");
      assertThat(peer.isClosedByPeer()).isTrue();
      assertFails(client.call(Calls.PING, PING), ErrorCode.RPC_FAIL, "the client is closed");
    }
  }

  @Test
  void callCompletesOnTheContextOfItsCaller() throws Exception {
    Context clientContext = vertx.getOrCreateContext();
    FrameClient own = onContext(clientContext, () -> FrameClient.create(vertx, options()));
    Context other = vertx.getOrCreateContext();

    record Seen(Context caller, Thread callerThread, Context callback, Thread callbackThread) {}

    Promise<Seen> fromOwn = Promise.promise();
    Promise<Seen> fromOther = Promise.promise();
    for (Context context : List.of(clientContext, other)) {
      context.runOnContext(
          v -> {
            Thread thread = Thread.currentThread();
            own.call(Calls.PING, PING)
                .onComplete(
                    answer ->
                        (context == other ? fromOther : fromOwn)
                            .complete(
                                new Seen(
                                    context,
                                    thread,
                                    Vertx.currentContext(),
                                    Thread.currentThread())));
          });
    }
    try (RawPeer peer = RawPeer.accept(listener)) {
      answer(peer);
      answer(peer);
      for (Promise<Seen> promise : List.of(fromOwn, fromOther)) {
        Seen seen = Frames.await(promise.future());
        assertThat(seen.callback()).isSameAs(seen.caller());
        assertThat(seen.callbackThread()).isSameAs(seen.callerThread());
      }
    }
  }

  private static <T> T onContext(Context context, Supplier<T> supplier) throws Exception {
    return Frames.await(
        Future.future(promise -> context.runOnContext(v -> promise.complete(supplier.get()))));
  }

  @Test
  void greetingGoesFirstOnEachConnection() throws Exception {
    AtomicInteger greetings = new AtomicInteger();
    FrameClient polite =
        FrameClient.create(
            vertx,
            options(),
            caller ->
                caller
                    .call(Calls.HELLO, new Hello(1, "me"))
                    .onSuccess(answer -> greetings.incrementAndGet()));
    for (int connection = 1; connection <= 2; connection++) {
      Future<PingAnswer> call = polite.call(Calls.PING, PING);
      try (RawPeer peer = RawPeer.accept(listener)) {
        Request hello = peer.readRequest();
        assertThat(hello.functionId()).isEqualTo(Calls.HELLO.functionId());
        Future<PingAnswer> meanwhile = polite.call(Calls.PING, PING);
        peer.send(Frames.response(Calls.HELLO, helloAnswer(), hello.sequence()));

        answer(peer);
        answer(peer);

        assertThat(Frames.await(call)).isEqualTo(PONG);
        assertThat(Frames.await(meanwhile)).isEqualTo(PONG);
        assertThat(greetings).hasValue(connection);
      }
      int closed = connection;
      Frames.eventually()
          .until(() -> polite.counters().get(FrameCounter.CONNECTIONS_CLOSED) == closed);
    }
  }

  private static HelloAnswer helloAnswer() {
    return new HelloAnswer(1, "", "", 1, 1, 1, 0);
  }

  @Test
  void failedGreetingFailsTheCallsThatWaitForIt() throws Exception {
    FrameClient polite =
        FrameClient.create(
            vertx,
            options(),
            caller ->
                caller
                    .call(Calls.HELLO, new Hello(1, "me"))
                    .compose(answer -> Future.failedFuture("version 9 is not spoken here")));
    Future<PingAnswer> call = polite.call(Calls.PING, PING);
    try (RawPeer peer = RawPeer.accept(listener)) {
      peer.send(Frames.response(Calls.HELLO, helloAnswer(), peer.readRequest().sequence()));

      assertFails(call, ErrorCode.RPC_FAIL, "version 9 is not spoken here");
      assertThat(peer.isClosedByPeer()).isTrue();
    }
  }

  @Test
  void peerThatClosesDuringTheGreetingFailsTheCallsThatWaitForIt() throws Exception {
    FrameClient polite =
        FrameClient.create(
            vertx, options(), caller -> caller.call(Calls.HELLO, new Hello(1, "me")));
    Future<PingAnswer> call = polite.call(Calls.PING, PING);
    try (RawPeer peer = RawPeer.accept(listener)) {
      peer.readRequest();
    }
    assertFails(call, ErrorCode.RPC_FAIL, "cannot connect");
    assertThat(polite.counters().get(FrameCounter.IN_FLIGHT)).isZero();
  }

  @Test
  void requestIsEncodedBeforeTheCallReturns() throws Exception {
    long[] generations = {1, 2, 3};
    client.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(generations));
    generations[0] = 99;
    try (RawPeer peer = RawPeer.accept(listener)) {
      byte[] body = peer.readRequest().body();

      assertThat(
              Calls.DESCRIBE_SEGMENTS.request().decode(Unpooled.wrappedBuffer(body)).generations())
          .containsExactly(1, 2, 3);
    }
  }
}
