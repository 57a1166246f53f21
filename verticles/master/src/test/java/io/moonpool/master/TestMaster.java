package io.moonpool.master;

import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.Ping;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.call.RemoveObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.moonpool.protocol.call.UnmountSegment;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * A whole master on free ports of loopback, and a client of it over real sockets. Methods wait for
 * their answer and throw what the call failed with.
 */
public final class TestMaster implements AutoCloseable {
  public static final UUID WRITER = new UUID(0xA, 0xB);

  private final Master master;
  private final Vertx clientVertx = Vertx.vertx();
  private final FrameClient client;

  private TestMaster(Master master) {
    this.master = master;
    this.client = newClient();
  }

  /** Nodes need no pings: for tests that are not about liveness, however slow the machine is. */
  public static MasterConfig.Builder config() {
    return MasterConfig.builder().clientActiveTtlMillis(600_000);
  }

  public static TestMaster start(MasterConfig.Builder config) {
    return new TestMaster(await(Master.start(config.ephemeral().build())));
  }

  /** Around a master that is started otherwise. */
  public static TestMaster of(Master master) {
    return new TestMaster(master);
  }

  public Master master() {
    return master;
  }

  /** Another connection. */
  public FrameClient newClient() {
    return FrameClient.create(
        clientVertx, FrameClientOptions.of("127.0.0.1", master.ports().rpc()));
  }

  public static <T> T await(Future<T> future) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .orTimeout(30, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  public <Q, R> R call(Call<Q, R> call, Q request) {
    return await(client.call(call, request));
  }

  public <Q, R> Future<R> callLater(Call<Q, R> call, Q request) {
    return client.call(call, request);
  }

  /** A node that the master does not know yet. */
  public Node newNode(int number) {
    return new Node(this, number);
  }

  /** A registered node with one mounted segment. */
  public Node node(int number, long segmentBytes) {
    Node node = new Node(this, number);
    node.register();
    node.mount(segmentBytes);
    return node;
  }

  public List<Outcome<StartedObject>> putStart(long size, String... keys) {
    return putStart(ReplicateConfig.DEFAULT, size, keys);
  }

  public List<Outcome<StartedObject>> putStart(ReplicateConfig config, long size, String... keys) {
    return call(Calls.PUT_START, startRequest(config, size, keys));
  }

  /** What starting a put of one object answers, whether for it or for the whole call. */
  public ErrorCode putStartCode(long size, String key) {
    try {
      return putStart(size, key).getFirst().code();
    } catch (StoreException e) {
      return e.code();
    }
  }

  public static StartObjects startRequest(ReplicateConfig config, long size, String... keys) {
    long[] sizes = new long[keys.length];
    Arrays.fill(sizes, size);
    return new StartObjects(WRITER, "", KeyBatch.of(List.of(keys)), sizes, config);
  }

  public List<Outcome<StartedObject>> upsertStart(long size, String... keys) {
    return call(Calls.UPSERT_START, startRequest(ReplicateConfig.DEFAULT, size, keys));
  }

  public Outcome<Void> end(String key, StartedObject started) {
    return call(
            Calls.END,
            new EndObjects(
                WRITER,
                "",
                KeyBatch.of(key),
                new long[] {started.version()},
                List.of(Checksum.NONE)))
        .getFirst();
  }

  /** Puts objects of that size, and expects each to succeed. */
  public void put(long size, String... keys) {
    put(ReplicateConfig.DEFAULT, size, keys);
  }

  /** Puts objects of that size with that configuration, and expects each to succeed. */
  public void put(ReplicateConfig config, long size, String... keys) {
    List<Outcome<StartedObject>> started = putStart(config, size, keys);
    long[] versions = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      versions[i] = started.get(i).get().version();
    }
    List<Outcome<Void>> ended =
        call(
            Calls.END,
            new EndObjects(
                WRITER,
                "",
                KeyBatch.of(List.of(keys)),
                versions,
                Collections.nCopies(keys.length, Checksum.NONE)));
    for (Outcome<Void> each : ended) {
      if (!each.ok()) {
        throw new AssertionError("end: " + each.code());
      }
    }
  }

  public Outcome<LocatedObject> locate(String key) {
    return call(Calls.LOCATE, new NamedObjects("", KeyBatch.of(key))).getFirst();
  }

  public boolean exists(String key) {
    return call(Calls.EXISTS, new NamedObjects("", KeyBatch.of(key))).getFirst().get();
  }

  public Outcome<Void> remove(String key, boolean force) {
    return call(Calls.REMOVE, new RemoveObjects("", KeyBatch.of(key), force)).getFirst();
  }

  @Override
  public void close() {
    await(clientVertx.close());
    await(master.close());
  }

  /** A node as the master sees one. */
  public static final class Node {
    private final TestMaster test;
    private final UUID nodeId;
    private UUID startId;
    private final List<SegmentSpec> specs = new ArrayList<>();
    private NodeRegistration registration;
    private long sequence;

    Node(TestMaster test, int number) {
      this.test = test;
      this.nodeId = new UUID(0x10DE, number);
      this.startId = new UUID(0x57A7, number);
    }

    public UUID id() {
      return nodeId;
    }

    public NodeRegistration register() {
      registration =
          test.call(
              Calls.REGISTER_NODE,
              new RegisterNode(nodeId, startId, "host-" + nodeId, "127.0.0.1:9300"));
      return registration;
    }

    /** As another process with the same data directory. */
    public NodeRegistration registerAsNewProcess() {
      startId = UUID.randomUUID();
      return register();
    }

    public NodeRegistration registration() {
      return registration;
    }

    public SegmentSpec addSegment(long bytes) {
      SegmentSpec spec =
          spec("segment-" + nodeId.getLeastSignificantBits() + "-" + specs.size(), bytes);
      specs.add(spec);
      return spec;
    }

    /** A segment of a new id that nobody has mounted. */
    public SegmentSpec spec(String name, long bytes) {
      return SegmentSpec.memory(
          UUID.randomUUID(),
          name,
          bytes,
          "host-" + nodeId,
          List.of(new SegmentEndpoint("tcp", new byte[] {1, 2, 3})));
    }

    /** Mounts one more segment. */
    public long mount(long bytes) {
      addSegment(bytes);
      return mountAll().getLast().get();
    }

    public List<Outcome<Long>> mountAll() {
      return test.call(
          Calls.MOUNT_SEGMENTS,
          new MountSegments(nodeId, registration.incarnation(), List.copyOf(specs)));
    }

    /** What an attempt to mount is refused with as a whole. */
    public io.moonpool.model.ErrorCode mountAllRefused() {
      try {
        mountAll();
      } catch (io.moonpool.model.StoreException e) {
        return e.code();
      }
      throw new AssertionError("mounted");
    }

    /** Takes back the segment of that number. */
    public void unmount(int segment) {
      test.call(
          Calls.UNMOUNT_SEGMENT,
          new UnmountSegment(nodeId, registration.incarnation(), specs.get(segment).id(), 0));
    }

    public List<SegmentSpec> segments() {
      return specs;
    }

    public io.moonpool.protocol.call.PingAnswer ping() {
      return test.call(
          Calls.PING, new Ping(registration.slot(), registration.incarnation(), ++sequence));
    }
  }
}
