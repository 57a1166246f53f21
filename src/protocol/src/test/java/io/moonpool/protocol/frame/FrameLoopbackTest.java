package io.moonpool.protocol.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.call.HelloAnswer;
import io.moonpool.protocol.call.ListClients;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.UnmountSegment;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls over a real socket. */
class FrameLoopbackTest {
  private final Vertx vertx = Vertx.vertx();
  private FrameServer server;
  private FrameClient client;

  @BeforeEach
  void start() throws Exception {
    FrameDispatcher dispatcher =
        FrameDispatcher.builder()
            .on(Calls.HELLO, FrameLoopbackTest::hello)
            .on(Calls.LOCATE, FrameLoopbackTest::locate)
            .on(Calls.UNMOUNT_SEGMENT, request -> Future.succeededFuture())
            .on(
                Calls.CLIENTS,
                request ->
                    Future.failedFuture(
                        new StoreException(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, "not now")))
            .build();
    server =
        Frames.await(FrameServer.listen(vertx, Frames.loopback(), dispatcher, FrameLimits.DEFAULT));
    client = FrameClient.create(vertx, FrameClientOptions.of("127.0.0.1", server.port()));
  }

  @AfterEach
  void stop() throws Exception {
    Frames.await(vertx.close());
  }

  private static Future<HelloAnswer> hello(Hello request) {
    return Future.succeededFuture(
        new HelloAnswer(
            request.protocolVersion(), "test", request.clientName(), 1L << 63, 10_000, 30_000, 0));
  }

  static Future<List<Outcome<LocatedObject>>> locate(NamedObjects request) {
    List<Outcome<LocatedObject>> answer = new ArrayList<>();
    for (int i = 0; i < request.keys().size(); i++) {
      answer.add(
          request.keys().length(i) % 2 == 0
              ? Outcome.error(ErrorCode.OBJECT_NOT_FOUND)
              : Outcome.of(located(request.keys().length(i))));
    }
    return Future.succeededFuture(answer);
  }

  private static LocatedObject located(int size) {
    return new LocatedObject(
        -size,
        size,
        10_000,
        Checksum.crc32c(size),
        List.of(
            new ReplicaDescriptor(
                size, ReplicaType.MEMORY, ReplicaStatus.COMPLETE, 1L << 32, 4096, size)));
  }

  @Test
  void helloIsAnswered() throws Exception {
    HelloAnswer answer = Frames.await(client.call(Calls.HELLO, new Hello(Hello.VERSION, "tester")));

    assertThat(answer).isEqualTo(new HelloAnswer(1, "test", "tester", 1L << 63, 10_000, 30_000, 0));
  }

  @Test
  void batchIsAnsweredItemByItem() throws Exception {
    KeyBatch keys = new KeyBatch(1_000);
    for (int i = 1; i <= 1_000; i++) {
      keys.add("k".repeat(i));
    }

    List<Outcome<LocatedObject>> answer =
        Frames.await(client.call(Calls.LOCATE, new NamedObjects("default", keys)));

    assertThat(answer).isEqualTo(Frames.await(locate(new NamedObjects("default", keys))));
  }

  @Test
  void callWithoutResult() throws Exception {
    UnmountSegment request = new UnmountSegment(UUID.randomUUID(), 1, UUID.randomUUID(), 0);

    assertThat(Frames.await(client.call(Calls.UNMOUNT_SEGMENT, request))).isNull();
  }

  @Test
  void failureOfAWholeCallKeepsCodeAndSentence() {
    assertThat(client.call(Calls.CLIENTS, new ListClients()).toCompletionStage())
        .failsWithin(20, TimeUnit.SECONDS)
        .withThrowableOfType(Exception.class)
        .havingCause()
        .isInstanceOf(StoreException.class)
        .withMessage("UNAVAILABLE_IN_CURRENT_STATUS: not now");
  }
}
