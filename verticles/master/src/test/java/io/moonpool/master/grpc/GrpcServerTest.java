package io.moonpool.master.grpc;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.protocol.access.AccessToken;
import io.moonpool.protocol.access.AdminAddress;
import io.moonpool.protocol.grpc.ClientsGrpcClient;
import io.moonpool.protocol.grpc.ListClientsRequest;
import io.moonpool.protocol.grpc.ListObjectsAnswer;
import io.moonpool.protocol.grpc.ListObjectsRequest;
import io.moonpool.protocol.grpc.NamedRequest;
import io.moonpool.protocol.grpc.ObjectsGrpcClient;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the gRPC port does around its services: limits, deadlines, health, tokens. */
class GrpcServerTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final ServiceMethod<HealthCheckResponse, HealthCheckRequest> HEALTH_CHECK =
      ServiceMethod.client(
          ServiceName.create("grpc.health.v1", "Health"),
          "Check",
          GrpcMessageEncoder.encoder(),
          GrpcMessageDecoder.decoder(HealthCheckResponse.newBuilder()));
  private static final ServiceMethod<HealthCheckResponse, HealthCheckRequest> HEALTH_WATCH =
      ServiceMethod.client(
          ServiceName.create("grpc.health.v1", "Health"),
          "Watch",
          GrpcMessageEncoder.encoder(),
          GrpcMessageDecoder.decoder(HealthCheckResponse.newBuilder()));

  private GrpcFixture grpc;

  @BeforeEach
  void start() {
    grpc = new GrpcFixture();
  }

  @AfterEach
  void stop() {
    grpc.close();
  }

  private static ServiceMethod<Buffer, Buffer> raw(String service, String method) {
    return ServiceMethod.client(
        ServiceName.create("moonpool.v1", service),
        method,
        GrpcMessageEncoder.IDENTITY,
        GrpcMessageDecoder.IDENTITY);
  }

  @Test
  void refusesMessagesBeyondTheLimit() {
    NamedRequest large = NamedRequest.newBuilder().setKey("k".repeat(5 << 20)).build();
    GrpcFixture.Ended<?> ended = grpc.call(ObjectsGrpcClient.Describe, large);
    assertThat(ended.status()).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
    assertThat(ended.message()).isEqualTo("the message is larger than this port reads: send less");
    assertThat(ended.errorName()).isEqualTo("INVALID_PARAMS");
    // The connection goes on.
    assertThat(grpc.call(ClientsGrpcClient.List, ListClientsRequest.getDefaultInstance()).status())
        .isEqualTo(GrpcStatus.OK);
  }

  @Test
  void refusesMessagesThatItCannotRead() {
    byte[] notUtf8 = {0x12, 0x01, (byte) 0xff};
    byte[] cutShort = {0x12, 0x7f, 'a'};
    for (byte[] bytes : new byte[][] {notUtf8, cutShort}) {
      GrpcFixture.Ended<?> ended = grpc.call(raw("Objects", "Describe"), Buffer.buffer(bytes));
      assertThat(ended.status()).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
      assertThat(ended.message()).startsWith("the message cannot be read");
    }
    GrpcFixture.Ended<?> none = grpc.exchange(ObjectsGrpcClient.Describe, call -> call.end());
    assertThat(none.status()).isEqualTo(GrpcStatus.INVALID_ARGUMENT);
    assertThat(none.message()).isEqualTo("the call has no message: send one");
  }

  @Test
  void refusesCompressedMessages() {
    GrpcFixture.Ended<?> ended =
        grpc.call(
            ClientsGrpcClient.List,
            ListClientsRequest.getDefaultInstance(),
            call -> call.encoding("gzip"));
    assertThat(ended.status()).isEqualTo(GrpcStatus.UNIMPLEMENTED);
    assertThat(ended.message()).contains("compressed");
  }

  @Test
  void ignoresFieldsOfLaterVersions() {
    grpc.master.with("k");
    byte[] withUnknownField = {0x12, 0x01, 'k', (byte) 0xfa, 0x3f, 0x01, 'x'};
    assertThat(grpc.call(raw("Objects", "Exists"), Buffer.buffer(withUnknownField)).answer())
        .isEqualTo(Buffer.buffer(new byte[] {0x08, 0x01}));
  }

  @Test
  void doesNotKnowOtherMethods() {
    assertThat(grpc.call(raw("Objects", "Nothing"), Buffer.buffer()).status())
        .isEqualTo(GrpcStatus.UNIMPLEMENTED);
    assertThat(grpc.call(raw("Nothing", "List"), Buffer.buffer()).status())
        .isEqualTo(GrpcStatus.UNIMPLEMENTED);
  }

  @Test
  void endsCallsWhoseDeadlinePasses() {
    var held = grpc.master.holdList();
    GrpcFixture.Ended<ListObjectsAnswer> ended =
        grpc.call(
            ObjectsGrpcClient.List,
            ListObjectsRequest.getDefaultInstance(),
            call -> call.headers().set("grpc-timeout", "200m"));
    assertThat(ended.status()).isEqualTo(GrpcStatus.DEADLINE_EXCEEDED);
    // What comes later is dropped without harm.
    held.fail("late");
    assertThat(grpc.call(ClientsGrpcClient.List, ListClientsRequest.getDefaultInstance()).status())
        .isEqualTo(GrpcStatus.OK);
  }

  @Test
  void survivesCallersWhoCancel() {
    var held = grpc.master.holdList();
    GrpcFixture.Ended<ListObjectsAnswer> ended =
        grpc.callAndCancel(ObjectsGrpcClient.List, ListObjectsRequest.getDefaultInstance());
    assertThat(ended.status()).isEqualTo(GrpcStatus.CANCELLED);
    held.fail("late");
    assertThat(grpc.call(ClientsGrpcClient.List, ListClientsRequest.getDefaultInstance()).status())
        .isEqualTo(GrpcStatus.OK);
  }

  @Test
  void showsNothingOfInternalFaults() {
    grpc.master.holdList().fail(new IllegalStateException("secret detail"));
    GrpcFixture.Ended<ListObjectsAnswer> ended =
        grpc.call(ObjectsGrpcClient.List, ListObjectsRequest.getDefaultInstance());
    assertThat(ended.status()).isEqualTo(GrpcStatus.INTERNAL);
    assertThat(ended.message()).startsWith("internal fault").doesNotContain("secret");
    assertThat(ended.errorName()).isEqualTo("INTERNAL_ERROR");
  }

  @Test
  void reportsHealth() {
    HealthCheckRequest whole = HealthCheckRequest.getDefaultInstance();
    HealthCheckRequest objects =
        HealthCheckRequest.newBuilder().setService("moonpool.v1.Objects").build();
    assertThat(grpc.call(HEALTH_CHECK, whole).answer().getStatus())
        .isEqualTo(ServingStatus.SERVING);
    assertThat(grpc.call(HEALTH_CHECK, objects).answer().getStatus())
        .isEqualTo(ServingStatus.SERVING);
    HealthCheckRequest unknown = HealthCheckRequest.newBuilder().setService("x").build();
    assertThat(grpc.call(HEALTH_CHECK, unknown).status()).isEqualTo(GrpcStatus.NOT_FOUND);

    grpc.stats.clockStands.set(true);
    await()
        .atMost(20, SECONDS)
        .pollInterval(200, MILLISECONDS)
        .until(
            () -> grpc.call(HEALTH_CHECK, whole).answer().getStatus() == ServingStatus.NOT_SERVING);
  }

  @Test
  void tellsWatchersWhenHealthChanges() {
    List<ServingStatus> told = new CopyOnWriteArrayList<>();
    GrpcClientRequest<HealthCheckRequest, HealthCheckResponse> call =
        grpc.open(
            HEALTH_WATCH,
            HealthCheckRequest.getDefaultInstance(),
            response -> response.handler(message -> told.add(message.getStatus())));
    await()
        .atMost(20, SECONDS)
        .untilAsserted(() -> assertThat(told).contains(ServingStatus.SERVING));
    grpc.stats.clockStands.set(true);
    await()
        .atMost(20, SECONDS)
        .untilAsserted(
            () ->
                assertThat(told).containsExactly(ServingStatus.SERVING, ServingStatus.NOT_SERVING));
    call.cancel();
  }

  @Test
  void asksForTheTokenEverywhereButHealth() {
    AdminAddress address =
        new AdminAddress("127.0.0.1", 0, Optional.of(AccessToken.of(TOKEN)), Optional.empty());
    try (GrpcFixture guarded = new GrpcFixture(GrpcOptions.of(address))) {
      ListClientsRequest request = ListClientsRequest.getDefaultInstance();
      GrpcFixture.Ended<?> without = guarded.call(ClientsGrpcClient.List, request);
      assertThat(without.status()).isEqualTo(GrpcStatus.UNAUTHENTICATED);
      assertThat(without.message()).contains("authorization: Bearer <token>");
      assertThat(without.errorName()).isEqualTo("ILLEGAL_CLIENT");
      assertThat(
              guarded
                  .call(
                      ClientsGrpcClient.List,
                      request,
                      call -> call.headers().set("authorization", "Bearer wrong"))
                  .status())
          .isEqualTo(GrpcStatus.UNAUTHENTICATED);
      assertThat(
              guarded
                  .call(
                      ClientsGrpcClient.List,
                      request,
                      call -> call.headers().set("authorization", "Bearer " + TOKEN))
                  .status())
          .isEqualTo(GrpcStatus.OK);
      assertThat(guarded.call(HEALTH_CHECK, HealthCheckRequest.getDefaultInstance()).status())
          .isEqualTo(GrpcStatus.OK);
    }
  }
}
