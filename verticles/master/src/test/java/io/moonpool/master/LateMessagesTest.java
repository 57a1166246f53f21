package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.AckTombstones;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.DropDiskObjects;
import io.moonpool.protocol.call.ListClients;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.OffloadSegment;
import io.moonpool.protocol.call.Ping;
import io.moonpool.protocol.call.PingAnswer;
import io.moonpool.protocol.call.ReportDiskObjects;
import io.moonpool.protocol.call.SettleOffloads;
import io.moonpool.protocol.call.SettlePromotions;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.TakeDiskWork;
import io.moonpool.protocol.call.TakeTasks;
import io.moonpool.protocol.call.UnmountSegment;
import io.moonpool.protocol.call.UnregisterNode;
import io.moonpool.protocol.heartbeat.HeartbeatFrame;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an earlier incarnation of a node still sends changes nothing, whatever call it is. */
@Timeout(90)
class LateMessagesTest {
  private TestMaster test;
  private TestMaster.Node node;

  /** Of the incarnation that is gone. */
  private long old;

  private long oldSlot;
  private long oldGeneration;

  @BeforeEach
  void replaceTheNode() {
    test = TestMaster.start(MasterConfig.builder().clientActiveTtlMillis(300));
    node = test.newNode(1);
    node.register();
    oldGeneration = node.mount(1 << 20);
    old = node.registration().incarnation();
    oldSlot = node.registration().slot();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                test.call(Calls.CLIENTS, new ListClients()).getFirst().state()
                    == ClientState.SUSPECTED);
    node.registerAsNewProcess();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              node.ping();
              return test.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[0]))
                  .isEmpty();
            });
    node.mountAll();
  }

  @AfterEach
  void stop() {
    test.close();
  }

  /** Each call that carries an incarnation, with that of the node's earlier process. */
  private Map<Call<?, ?>, Object> late() {
    UUID id = node.id();
    Map<Call<?, ?>, Object> late = new LinkedHashMap<>();
    late.put(Calls.MOUNT_SEGMENTS, new MountSegments(id, old, node.segments()));
    late.put(
        Calls.UNMOUNT_SEGMENT, new UnmountSegment(id, old, node.segments().getFirst().id(), 0));
    late.put(
        Calls.REPORT_DISK_OBJECTS, new ReportDiskObjects(id, old, oldGeneration, List.of(), true));
    late.put(Calls.TAKE_DISK_WORK, new TakeDiskWork(id, old, oldGeneration, 0, true, 1, 1, 10_000));
    late.put(Calls.SETTLE_OFFLOADS, new SettleOffloads(id, old, oldGeneration, List.of()));
    late.put(Calls.SETTLE_PROMOTIONS, new SettlePromotions(id, old, oldGeneration, List.of()));
    late.put(Calls.DROP_DISK_OBJECTS, new DropDiskObjects(id, old, oldGeneration, List.of()));
    late.put(Calls.ACK_TOMBSTONES, new AckTombstones(id, old, oldGeneration, List.of()));
    late.put(Calls.OFFLOAD_SEGMENT, new OffloadSegment(id, old, oldGeneration));
    late.put(Calls.TAKE_TASKS, new TakeTasks(id, old, 1, 10_000));
    late.put(Calls.SETTLE_TASKS, new SettleTasks(id, old, List.of()));
    // These two are answered, and are tested apart.
    late.put(Calls.PING, new Ping((int) oldSlot, old, 1));
    late.put(Calls.UNREGISTER_NODE, new UnregisterNode(id, old));
    return late;
  }

  @Test
  void theCallsHereAreAllThatCarryAnIncarnation() throws Exception {
    Map<String, Boolean> carries = new LinkedHashMap<>();
    for (Field field : Calls.class.getFields()) {
      if (field.getType() == Call.class) {
        Class<?> request =
            (Class<?>) ((ParameterizedType) field.getGenericType()).getActualTypeArguments()[0];
        carries.put(
            ((Call<?, ?>) field.get(null)).name(),
            Arrays.stream(request.getRecordComponents())
                .anyMatch(component -> component.getName().equals("incarnation")));
      }
    }
    assertThat(late().keySet().stream().map(Call::name))
        .containsExactlyInAnyOrderElementsOf(
            carries.keySet().stream().filter(carries::get).collect(Collectors.toSet()));
  }

  @SuppressWarnings("unchecked")
  private <Q> Object send(Call<?, ?> call, Object request) {
    return test.call((Call<Q, Object>) call, (Q) request);
  }

  @Test
  void isRefusedAndKeepsNobodyAlive() {
    Map<Call<?, ?>, Object> late = late();
    late.remove(Calls.PING);
    late.remove(Calls.UNREGISTER_NODE);
    late.forEach(
        (call, request) ->
            assertThatThrownBy(() -> send(call, request))
                .as(call.name())
                .isInstanceOfSatisfying(
                    StoreException.class,
                    refused -> {
                      assertThat(refused.code()).isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
                      assertThat(refused).hasMessageContaining("register it again");
                    }));
    assertThat(test.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[0])))
        .as("what the new process mounted is untouched")
        .hasSize(1);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              late.forEach(
                  (call, request) -> assertThatThrownBy(() -> send(call, request)).isNotNull());
              return test.call(Calls.CLIENTS, new ListClients()).getFirst().state()
                  == ClientState.SUSPECTED;
            });
  }

  @Test
  void aLatePingIsToldToRemountOnEitherPort() throws IOException {
    PingAnswer answer = test.call(Calls.PING, new Ping((int) oldSlot, old, 1));
    assertThat(answer.status()).isEqualTo(PingStatus.NEED_REMOUNT);
    byte[] frame = new byte[HeartbeatFrame.BYTES];
    ByteBuf view = Unpooled.wrappedBuffer(frame);
    HeartbeatFrame.setPing(view, 0, (int) oldSlot, old, 1, 2);
    try (Socket socket = new Socket("127.0.0.1", test.master().ports().heartbeat())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(frame);
      new DataInputStream(socket.getInputStream()).readFully(frame);
    }
    assertThat(HeartbeatFrame.status(view, 0)).isEqualTo(PingStatus.NEED_REMOUNT);
    assertThat((long) HeartbeatFrame.masterEpoch(view, 0)).isEqualTo(answer.masterEpoch());
    assertThat(HeartbeatFrame.viewVersion(view, 0)).isEqualTo(answer.viewVersion());
  }

  @Test
  void aLateFarewellIsNoFarewellOfTheNewProcess() {
    test.call(Calls.UNREGISTER_NODE, new UnregisterNode(node.id(), old));
    assertThat(node.ping().status()).isNotEqualTo(PingStatus.NEED_REMOUNT);
    assertThat(test.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[0]))).hasSize(1);
  }
}
