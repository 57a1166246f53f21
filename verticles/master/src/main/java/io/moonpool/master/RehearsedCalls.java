package io.moonpool.master;

import static io.moonpool.master.Rehearsal.await;
import static io.moonpool.master.Rehearsal.awaitEnd;

import io.moonpool.master.drain.DrainCounts;
import io.moonpool.model.Checksum;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SoftPinAction;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.call.ListClients;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.Ping;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.call.RemoveObjects;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.RevokeObjects;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.SettledTask;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.moonpool.protocol.call.TakeTasks;
import io.moonpool.protocol.call.UnmountSegment;
import io.moonpool.protocol.call.UnregisterNode;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.moonpool.protocol.heartbeat.HeartbeatFrame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The part of a {@link Rehearsal} that goes through frames and heartbeats. On its thread. */
final class RehearsedCalls {
  private static final String HOST = "127.0.0.1";
  private static final UUID WRITER = new UUID(1, 1);
  private static final UUID STRANGER = new UUID(1, 2);
  private static final int SEGMENT_BYTES = 256 << 10;
  private static final int OBJECT_BYTES = 4_096;
  private static final int ROUNDS = 8;
  private static final int PING_MILLIS = 50;
  private static final int STATE_TRIES = 500;
  private static final int MOVED = 16;
  private static final int MOVES_AT_A_TIME = 4;
  private static final int STATE_PAUSE_MILLIS = 20;

  /** More than a metadata loop does at once, so that sweeps are rehearsed. */
  private static final int LONG_BATCH = 1_500;

  /** Objects that a segment for many has room for, and how many batches are put there. */
  private static final int ROOMY_OBJECTS = 12_000;

  private static final int EVICTION_ROUNDS = 40;

  private final Master master;
  private final FrameClient client;
  private final NetClient sockets;
  private final List<Node> nodes = new ArrayList<>();
  private @Nullable NetSocket heartbeat;
  private long sequence;

  /** A node as the master sees one. */
  private record Node(UUID id, NodeRegistration registration, List<SegmentSpec> segments) {}

  RehearsedCalls(Master master, boolean tls) {
    this.master = master;
    NetClientOptions net = new NetClientOptions();
    if (tls) {
      // It speaks to itself on loopback, whatever name its certificate has.
      net.setSsl(true).setTrustAll(true).setHostnameVerificationAlgorithm("");
    }
    this.client =
        FrameClient.create(
            master.vertx(), FrameClientOptions.of(HOST, master.ports().rpc()).withNet(net));
    this.sockets = master.vertx().createNetClient(net);
  }

  /** Nodes register, mount and ping. */
  void playNodes() throws InterruptedException, ExecutionException, TimeoutException {
    await(client.call(Calls.HELLO, new Hello(Hello.VERSION, "rehearsal")));
    heartbeat = await(sockets.connect(master.ports().heartbeat(), HOST));
    for (int i = 1; i <= 2; i++) {
      Node node = register(i);
      nodes.add(node);
      mount(node);
      mount(node);
    }
    // A second process of the same node is refused.
    awaitEnd(client.call(Calls.REGISTER_NODE, new RegisterNode(new UUID(2, 1), STRANGER, "", "")));
    awaitEnd(client.call(Calls.MOUNT_SEGMENTS, new MountSegments(STRANGER, 1, List.of())));
    master.vertx().setPeriodic(1, PING_MILLIS, timer -> ping());
    await(client.call(Calls.CLIENTS, new ListClients()));
    await(client.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[0])));
    await(client.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[] {1})));
  }

  private Node register(int number)
      throws InterruptedException, ExecutionException, TimeoutException {
    UUID id = new UUID(2, number);
    NodeRegistration registration =
        await(
            client.call(
                Calls.REGISTER_NODE,
                new RegisterNode(id, new UUID(3, number), "host-" + number, HOST + ":1")));
    List<SegmentSpec> segments =
        IntStream.range(0, 2)
            .mapToObj(
                i ->
                    new SegmentSpec(
                        new UUID(4, number * 10L + i),
                        "segment-" + number + "-" + i,
                        SEGMENT_BYTES,
                        "host-" + number,
                        List.of(new SegmentEndpoint("tcp", new byte[] {1})),
                        SegmentKind.MEMORY))
            .toList();
    return new Node(id, registration, segments);
  }

  private void mount(Node node) throws InterruptedException, ExecutionException, TimeoutException {
    await(
        client.call(
            Calls.MOUNT_SEGMENTS,
            new MountSegments(node.id, node.registration.incarnation(), node.segments)));
  }

  private void ping() {
    NetSocket socket = heartbeat;
    for (Node node : List.copyOf(nodes)) {
      if (socket != null) {
        ByteBuf frame = Unpooled.buffer(HeartbeatFrame.BYTES);
        HeartbeatFrame.setPing(
            frame, 0, node.registration.slot(), node.registration.incarnation(), ++sequence, 0);
        frame.writerIndex(HeartbeatFrame.BYTES);
        socket.write(BufferInternal.buffer(frame));
      }
      client.call(
          Calls.PING, new Ping(node.registration.slot(), node.registration.incarnation(), 1));
    }
  }

  /** Objects are written, read, listed, evicted and removed. */
  void playObjects() throws InterruptedException, ExecutionException, TimeoutException {
    for (int round = 0; round < ROUNDS; round++) {
      put(Calls.PUT_START, plain(), round + "/a", round + "/b", round + "/c");
      put(Calls.UPSERT_START, plain(), round + "/a", round + "/d");
      put(Calls.PUT_START, plain(), round + "/a");
      revoke(round + "/a");
      KeyBatch some = KeyBatch.of(List.of(round + "/a", round + "/b", "missing"));
      await(client.call(Calls.LOCATE, new NamedObjects("", some)));
      await(client.call(Calls.EXISTS, new NamedObjects("", some)));
      await(client.call(Calls.DESCRIBE, new NamedObjects("", some)));
      await(client.call(Calls.REMOVE, new RemoveObjects("", some, round % 2 == 0)));
      await(client.call(Calls.LIST, new ListObjects("", round + "/", 0, 2)));
      await(client.call(Calls.REMOVE_MATCHING, new RemoveMatching("", "^" + round + "/", true)));
    }
    String[] group = {"group/1", "group/2", "group/3"};
    put(Calls.PUT_START, pinned(group.length), group);
    await(client.call(Calls.EXISTS, new NamedObjects("", KeyBatch.of(List.of(group)))));
    awaitEnd(client.call(Calls.LIST, new ListObjects("", "(", 0, 2)));
    awaitEnd(client.call(Calls.LIST, new ListObjects("", "", -1, 2)));
    // More than there is space for: evicts, waits for space, and in the end finds none.
    String[] many =
        IntStream.range(0, LONG_BATCH).mapToObj(i -> "many/" + i).toArray(String[]::new);
    for (int round = 0; round < 2; round++) {
      put(Calls.PUT_START, plain(), many);
    }
    await(client.call(Calls.LOCATE, new NamedObjects("", KeyBatch.of(List.of(many)))));
    await(client.call(Calls.REMOVE_MATCHING, new RemoveMatching("", "", true)));
  }

  /**
   * Many objects of one replica push each other out, until what evicts them is compiled: the first
   * real eviction is the one for which the compilers and the master want the processors at once.
   */
  void playEvictions() throws InterruptedException, ExecutionException, TimeoutException {
    Node node = nodes.getFirst();
    UUID segment = new UUID(5, 1);
    SegmentSpec roomy =
        SegmentSpec.memory(
            segment,
            "roomy",
            (long) ROOMY_OBJECTS * OBJECT_BYTES,
            "host-1",
            List.of(new SegmentEndpoint("tcp", new byte[] {1})));
    await(
        client.call(
            Calls.MOUNT_SEGMENTS,
            new MountSegments(node.id, node.registration.incarnation(), List.of(roomy))));
    for (int round = 0; round < EVICTION_ROUNDS; round++) {
      String prefix = "evicted/" + round + "/";
      put(
          Calls.PUT_START,
          ReplicateConfig.DEFAULT.withPreferredSegments(List.of(roomy.name())),
          IntStream.range(0, LONG_BATCH).mapToObj(i -> prefix + i).toArray(String[]::new));
    }
    await(
        client.call(
            Calls.UNMOUNT_SEGMENT,
            new UnmountSegment(node.id, node.registration.incarnation(), segment, 0)));
    await(client.call(Calls.REMOVE_MATCHING, new RemoveMatching("", "", true)));
  }

  /** Objects that a drain of {@link #segmentId} moves. */
  void playMovable() throws InterruptedException, ExecutionException, TimeoutException {
    Node node = nodes.getLast();
    put(
        Calls.PUT_START,
        ReplicateConfig.DEFAULT.withPreferredSegments(List.of(node.segments.getFirst().name())),
        IntStream.range(0, MOVED).mapToObj(i -> "moved/" + i).toArray(String[]::new));
  }

  /** Nodes take what is to be moved, and settle it, until the drain has ended. */
  void playMoves() throws InterruptedException, ExecutionException, TimeoutException {
    boolean failed = false;
    for (int tries = 0; tries < STATE_TRIES; tries++) {
      for (Node node : nodes) {
        List<ReplicaTask> tasks =
            await(
                client.call(
                    Calls.TAKE_TASKS,
                    new TakeTasks(
                        node.id,
                        node.registration.incarnation(),
                        MOVES_AT_A_TIME,
                        STATE_PAUSE_MILLIS)));
        for (ReplicaTask task : tasks) {
          // The first try of one object fails.
          int code = failed ? 0 : ErrorCode.TRANSFER_FAIL.number();
          failed = true;
          await(
              client.call(
                  Calls.SETTLE_TASKS,
                  new SettleTasks(
                      node.id,
                      node.registration.incarnation(),
                      List.of(new SettledTask(task.taskId(), code, "")))));
        }
      }
      DrainCounts.Figures drains = master.stats().snapshot().drains();
      if (drains.succeededJobs() + drains.failedJobs() > 0) {
        return;
      }
    }
  }

  private static ReplicateConfig plain() {
    return ReplicateConfig.DEFAULT.withReplicaNum(2);
  }

  private static ReplicateConfig pinned(int keys) {
    return new ReplicateConfig(
        1,
        SoftPinAction.ENABLE,
        OptionalLong.of(1),
        true,
        List.of("segment-1-0"),
        true,
        ObjectDataType.UNKNOWN,
        "host-1",
        Collections.nCopies(keys, "group"));
  }

  private void put(
      Call<StartObjects, List<Outcome<StartedObject>>> start,
      ReplicateConfig config,
      String... keys)
      throws InterruptedException, ExecutionException, TimeoutException {
    KeyBatch batch = KeyBatch.of(List.of(keys));
    long[] versions = start(start, config, batch);
    EndObjects end =
        new EndObjects(
            WRITER, "", batch, versions, Collections.nCopies(keys.length, Checksum.crc32c(1)));
    await(client.call(Calls.END, end));
    await(client.call(Calls.END, new EndObjects(STRANGER, "", batch, versions, end.checksums())));
  }

  private void revoke(String key)
      throws InterruptedException, ExecutionException, TimeoutException {
    KeyBatch batch = KeyBatch.of(key);
    long[] versions = start(Calls.UPSERT_START, plain(), batch);
    await(client.call(Calls.REVOKE, new RevokeObjects(WRITER, "", batch, versions)));
    await(client.call(Calls.REVOKE, new RevokeObjects(WRITER, "", batch, versions)));
  }

  private long[] start(
      Call<StartObjects, List<Outcome<StartedObject>>> start, ReplicateConfig config, KeyBatch keys)
      throws InterruptedException, ExecutionException, TimeoutException {
    long[] sizes = new long[keys.size()];
    java.util.Arrays.fill(sizes, OBJECT_BYTES);
    List<Outcome<StartedObject>> started =
        await(client.call(start, new StartObjects(WRITER, "", keys, sizes, config)));
    return started.stream().mapToLong(each -> each.ok() ? each.get().version() : 0).toArray();
  }

  /** A node leaves; another falls silent, comes back, and falls silent for good. */
  void playEnds() throws InterruptedException, ExecutionException, TimeoutException {
    put(Calls.PUT_START, plain(), "last/1", "last/2");
    Node first = nodes.getFirst();
    for (int i = 0; i < first.segments.size(); i++) {
      long graceMillis = i;
      await(
          client.call(
              Calls.UNMOUNT_SEGMENT,
              new UnmountSegment(
                  first.id,
                  first.registration.incarnation(),
                  first.segments.get(i).id(),
                  graceMillis)));
    }
    await(
        client.call(
            Calls.UNREGISTER_NODE, new UnregisterNode(first.id, first.registration.incarnation())));
    nodes.remove(first);
    List<Node> silent = List.copyOf(nodes);
    nodes.clear();
    awaitState(silent.getLast(), ClientState.SUSPECTED);
    nodes.addAll(silent);
    ping();
    nodes.clear();
    awaitState(silent.getLast(), ClientState.ACTIVE);
    awaitState(silent.getLast(), null);
    // Garbage closes a connection, and does no more.
    NetSocket peer = await(sockets.connect(master.ports().rpc(), HOST));
    awaitEnd(peer.write(Buffer.buffer("GET / HTTP/1.1")));
    await(client.call(Calls.CLIENTS, new ListClients()));
  }

  /** Waits until a node is in that state; null: until it is not known any more. */
  private void awaitState(Node node, @Nullable ClientState state)
      throws InterruptedException, ExecutionException, TimeoutException {
    for (int tries = 0; tries < STATE_TRIES; tries++) {
      ClientState now = null;
      for (ClientInfo info : await(client.call(Calls.CLIENTS, new ListClients()))) {
        if (info.nodeId().equals(node.id)) {
          now = info.state();
        }
      }
      if (now == state) {
        return;
      }
      Thread.sleep(STATE_PAUSE_MILLIS);
    }
  }

  /** The incarnation of a node that is there, for the interfaces. */
  UUID nodeId() {
    return nodes.getLast().id;
  }

  /** The id of a segment that is there, for the interfaces. */
  UUID segmentId() {
    return nodes.getLast().segments.getFirst().id();
  }

  /** Closes its connections, which the master sees. */
  void close() throws InterruptedException, ExecutionException, TimeoutException {
    awaitEnd(client.close());
    awaitEnd(sockets.close());
  }
}
