package io.moonpool.app.demo;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.blocking.BlockingObjects;
import io.moonpool.app.blocking.PieceSink;
import io.moonpool.app.blocking.PieceSource;
import io.moonpool.app.cluster.LocalCluster;
import io.moonpool.app.cluster.LocalCluster.LocalNode;
import io.moonpool.app.demo.Lanes.Buffers;
import io.moonpool.client.ClientCounters;
import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.ObjectListing;
import io.moonpool.client.WriteOptions;
import io.moonpool.client.parts.PartOptions;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stores objects in a cluster, reads them back, drains a node, and reads them back again. Blocks
 * the calling thread; the cluster is the caller's.
 */
public final class Demo {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** How long a put waits for space: until others are on disk, and a lease on them is over. */
  private static final Duration SPACE_WAIT = Duration.ofSeconds(50);

  private static final Duration COPY_LIMIT = Duration.ofMinutes(2);
  private static final long COPY_LOOK_MILLIS = 100;
  private static final int LIST_PAGE = 1_000;
  private static final String BYTES_FROM_MEMORY = "moonpool_node_client_bytes_from_memory_total";
  private static final String BYTES_FROM_DISK = "moonpool_node_client_bytes_from_disk_total";
  private static final String DISK_BYTES = "moonpool_node_disk_used_bytes";
  private static final PieceSink IGNORE = (_, _) -> {};
  private static final int WARM_UP_OBJECTS = 32;

  /** Small: what is removed under a lease stays in memory for a while, and must not be missed. */
  private static final int WARM_UP_BYTES = 32 << 10;

  private static final String CLIENT = "a client";
  private static final String REST = "REST of another node";

  private final DemoOptions options;
  private final LocalCluster cluster;
  private final PrintWriter out;
  private final boolean terminal;
  private final Map<String, String> storedSums = new ConcurrentHashMap<>();

  /**
   * A demo that did nothing yet.
   *
   * @param terminal whether progress may draw over a line of {@code out}
   */
  public Demo(DemoOptions options, LocalCluster cluster, PrintWriter out, boolean terminal) {
    this.options = options;
    this.cluster = cluster;
    this.out = out;
    this.terminal = terminal;
  }

  /** The largest piece that is stored in one segment. */
  static long pieceBytes(DemoOptions options) {
    return Math.min(PartOptions.DEFAULT.partBytes(), options.largestBytes());
  }

  /**
   * Runs it.
   *
   * @throws DemoFailure naming the object that did not come back as it was
   */
  public DemoReport run() throws InterruptedException {
    ClientOptions base = ClientOptions.of(cluster.host(), cluster.masterPort());
    Vertx vertx = Vertx.vertx();
    try (BlockingObjects writer =
            BlockingObjects.connect(
                vertx,
                base.but().name("demo-writer").transports(options.writersTransports()).build(),
                parts());
        BlockingObjects reader =
            BlockingObjects.connect(
                vertx,
                base.but().name("demo-reader").transports(options.readersTransports()).build(),
                parts())) {
      warmUp(writer, reader);
      Timings put = put(writer);
      Placement stored = awaitCopiesOnDisk(writer.client());
      Reads get = get(reader, "get through another client", stored);
      Placement before = placement(writer.client());
      long nodesMemoryBefore = sum(BYTES_FROM_MEMORY);
      long nodesDiskBefore = sum(BYTES_FROM_DISK);
      Timings rest = rest(writer);
      ReadSources restSources =
          new ReadSources(
              before,
              sum(BYTES_FROM_MEMORY) - nodesMemoryBefore,
              sum(BYTES_FROM_DISK) - nodesDiskBefore);
      DrainedNode drained = DrainedNode.drain(cluster, out, terminal);
      Reads again = get(reader, "get what was drained", placement(writer.client()));
      return new DemoReport(
          options,
          put,
          get,
          new Reads(rest, restSources),
          drained,
          again,
          writer.client().counters().spaceWaits(),
          segments(writer),
          figures(DISK_BYTES),
          PeakHeaps.of(cluster),
          Map.copyOf(storedSums));
    } finally {
      vertx.close();
    }
  }

  /** A figure of each node. */
  private List<Long> figures(String name) {
    return cluster.nodes().stream().map(node -> Scrape.of(node.url()).figure(name)).toList();
  }

  private long sum(String name) {
    return figures(name).stream().mapToLong(Long::longValue).sum();
  }

  private Placement placement(MoonpoolClient client) {
    List<ObjectInfo> listed = new ArrayList<>();
    ObjectListing listing = client.list("", LIST_PAGE);
    while (!listing.isFinished()) {
      listed.addAll(Await.result(listing.nextPage(), LIMIT));
    }
    return Placement.of(options.objects(), listed);
  }

  /** Nodes copy what was put to their disks meanwhile; the last objects a moment later. */
  private Placement awaitCopiesOnDisk(MoonpoolClient client) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + COPY_LIMIT.toNanos();
    Placement now = placement(client);
    while (now.withoutCopyOnDisk() > 0) {
      if (System.nanoTime() - deadlineNanos > 0) {
        throw new DemoFailure(
            now.withoutCopyOnDisk()
                + " objects have no copy on SSD "
                + COPY_LIMIT.toSeconds()
                + " s after they were put");
      }
      Thread.sleep(COPY_LOOK_MILLIS);
      now = placement(client);
    }
    return now;
  }

  private static PartOptions parts() {
    return PartOptions.DEFAULT;
  }

  /**
   * Opens the connections to all nodes and lets the processes load their code, so that the first
   * objects do not measure that. Failures here show in the phases, with a name.
   */
  private void warmUp(BlockingObjects writer, BlockingObjects reader) throws InterruptedException {
    List<DemoObject> objects = new ArrayList<>();
    for (int i = 0; i < WARM_UP_OBJECTS; i++) {
      objects.add(new DemoObject.GeneratedBytes("warm-up/" + i, WARM_UP_BYTES, i));
    }
    Step step =
        (object, buffers) -> {
          writer.put(object.key(), source(object), WriteOptions.DEFAULT, true, buffers.ours());
          reader.get(object.key(), buffers.theirs(), IGNORE);
          for (LocalNode node : cluster.nodes()) {
            RestObjects.get(node.url(), object, buffers.theirs(), IGNORE);
          }
          Await.result(writer.client().remove(object.key(), true), LIMIT);
          return 0;
        };
    new Lanes(options.lanes(), WARM_UP_BYTES)
        .run(objects, (object, buffers) -> run(step, object, buffers));
  }

  private static PieceSource source(DemoObject object) {
    return (offset, target) -> {
      long length = Math.min(target.byteSize(), object.size() - offset);
      object.read(offset, target.asSlice(0, length));
      return length;
    };
  }

  private Timings put(BlockingObjects writer) throws InterruptedException {
    WriteOptions how =
        WriteOptions.replicas(options.replicas()).withSpaceWaitMillis(SPACE_WAIT.toMillis());
    return phase(
        "put through a client",
        (object, buffers) -> {
          Comparison.Sha256 sum = Comparison.Sha256.of(object);
          PieceSource bytes = source(object);
          PieceSource summed =
              (offset, target) -> {
                long length = bytes.piece(offset, target);
                sum.piece(offset, target.asSlice(0, length));
                return length;
              };
          long nanos = writer.put(object.key(), summed, how, false, buffers.ours()).nanos();
          storedSums.put(object.key(), sum.hex());
          return nanos;
        });
  }

  private Reads get(BlockingObjects reader, String what, Placement before)
      throws InterruptedException {
    ClientCounters counters = reader.client().counters();
    long memoryBefore = counters.bytesFromMemory();
    long diskBefore = counters.bytesFromDisk();
    Timings timings =
        phase(
            what,
            (object, buffers) -> {
              Comparison comparison = new Comparison(object, CLIENT, buffers);
              long nanos = reader.get(object.key(), buffers.theirs(), comparison).nanos();
              comparison.end(storedSums.getOrDefault(object.key(), ""));
              return nanos;
            });
    return new Reads(
        timings,
        new ReadSources(
            before,
            counters.bytesFromMemory() - memoryBefore,
            counters.bytesFromDisk() - diskBefore));
  }

  private Timings rest(BlockingObjects writer) throws InterruptedException {
    Map<Long, UUID> nodeOfMount = new HashMap<>();
    for (SegmentInfo segment : segments(writer)) {
      nodeOfMount.put(segment.generation(), segment.nodeId());
    }
    return phase(
        "get over REST of another node",
        (object, buffers) -> {
          Comparison comparison = new Comparison(object, REST, buffers);
          LocalNode node = elsewhere(object, holders(writer.client(), object, nodeOfMount));
          long nanos = RestObjects.get(node.url(), object, buffers.theirs(), comparison);
          comparison.end(storedSums.getOrDefault(object.key(), ""));
          return nanos;
        });
  }

  /** A node that does not hold the object, while there is one; another one for each object. */
  private LocalNode elsewhere(DemoObject object, Set<UUID> holders) {
    List<LocalNode> others =
        cluster.nodes().stream().filter(node -> !holders.contains(node.id())).toList();
    List<LocalNode> choice = others.isEmpty() ? cluster.nodes() : others;
    return choice.get(Math.floorMod(object.key().hashCode(), choice.size()));
  }

  private Timings phase(String what, Step step) throws InterruptedException {
    Timings timings = new Timings();
    Progress progress = new Progress(out, terminal, what, options.totalBytes());
    Lanes lanes = new Lanes(options.lanes(), pieceBytes(options));
    lanes.run(
        options.objects(),
        (object, buffers) -> {
          timings.add(object.size(), run(step, object, buffers));
          progress.add(object.size(), System.nanoTime());
        });
    progress.done();
    return timings;
  }

  private static long run(Step step, DemoObject object, Buffers buffers) {
    try {
      return step.run(object, buffers);
    } catch (IOException e) {
      throw new DemoFailure(object.key() + ": " + e.getMessage());
    } catch (StoreException e) {
      throw new DemoFailure(object.key() + ": " + e.getMessage());
    }
  }

  private static List<SegmentInfo> segments(BlockingObjects pool) {
    return Await.result(pool.client().segments(), LIMIT);
  }

  /** The nodes that hold a replica of an object, or of the list of its parts. */
  private static Set<UUID> holders(
      MoonpoolClient client, DemoObject object, Map<Long, UUID> nodeOfMount) {
    Set<UUID> holders = new HashSet<>();
    for (ReplicaDescriptor replica :
        Await.result(client.describe(object.key()), LIMIT).replicas()) {
      UUID node = nodeOfMount.get(replica.generation());
      if (node != null) {
        holders.add(node);
      }
    }
    return holders;
  }

  /** What a phase does with an object; answers the time that its calls took. */
  private interface Step {
    long run(DemoObject object, Buffers buffers) throws IOException;
  }
}
