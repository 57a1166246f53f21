package io.moonpool.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.moonpool.protocol.mooncake.ObjectCalls;
import io.moonpool.protocol.mooncake.ObjectMessages;
import io.moonpool.protocol.mooncake.Place;
import io.moonpool.protocol.mooncake.ReplicaList;
import io.moonpool.protocol.mooncake.SegmentCalls;
import io.moonpool.protocol.mooncake.SegmentMessages;
import io.moonpool.protocol.mooncake.WriteConfig;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A client of Mooncake that lends one segment, and calls the master by the described messages. */
final class LentMemory implements AutoCloseable {
  static final String TENANT = "default";

  final UUID id = UUID.randomUUID();
  final String name;
  final SegmentMessages.Segment segment;
  private final Vertx vertx = Vertx.vertx();
  private final FrameClient client;

  LentMemory(GatewayMaster master, String name, long base, long size) {
    this.name = name;
    this.client = FrameClient.create(vertx, FrameClientOptions.of("127.0.0.1", master.port()));
    this.segment =
        new SegmentMessages.Segment(UUID.randomUUID(), name, base, size, name, "tcp", "");
    mount();
  }

  void mount() {
    call(SegmentCalls.MOUNT_SEGMENT, new SegmentMessages.Mount(segment, id));
    call(SegmentCalls.RE_MOUNT_SEGMENT, new SegmentMessages.ReMount(List.of(segment), id));
  }

  /** Answers the result, or throws what the call failed with. */
  <Q, R> R call(Call<Q, R> call, Q request) {
    try {
      return client
          .call(call, request)
          .toCompletionStage()
          .toCompletableFuture()
          .get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException known) {
        throw known;
      }
      throw new AssertionError(e.getCause());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** A call fails with an error of the table. */
  static void assertFails(ErrorCode code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            StoreException.class, failure -> assertThat(failure.code()).isEqualTo(code));
  }

  static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  /** Puts an object here; answers its address. */
  long put(String key, long size) {
    WriteConfig here =
        new WriteConfig(
            1,
            0,
            0,
            0,
            OptionalLong.empty(),
            false,
            List.of(name),
            "",
            List.of(),
            false,
            0,
            "",
            java.util.Optional.empty());
    Place place =
        call(ObjectCalls.PUT_START, new ObjectMessages.Start(id, bytes(key), size, here, TENANT))
            .getFirst()
            .place();
    call(
        ObjectCalls.PUT_END,
        new ObjectMessages.End(
            id, new ObjectMessages.Written(bytes(key), OptionalLong.empty()), 4, TENANT));
    return ((Place.Memory) place).address();
  }

  ReplicaList locate(String key) {
    return call(ObjectCalls.GET_REPLICA_LIST, new ObjectMessages.Key(bytes(key), TENANT));
  }

  @Override
  public void close() {
    GatewayMaster.await(vertx.close());
  }
}
