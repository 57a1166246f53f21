package io.moonpool.app.drain;

import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.master.Master;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.drain.DrainRequest;
import io.moonpool.master.drain.JobInfo;
import io.moonpool.master.drain.MoveRequest;
import io.moonpool.master.drain.TaskInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.TaskStatus;
import io.moonpool.node.Node;
import io.moonpool.node.NodeConfig;
import io.moonpool.node.disk.DiskConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A master, nodes with memory and a disk, and a client in this JVM, as apart as processes are. A
 * node's segments are called {@code NAME-0} and {@code NAME-disk}.
 */
final class DrainCluster implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path directory;
  private final String transport;
  private final List<Vertx> instances = new ArrayList<>();
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Master master;
  private final MoonpoolClient client;

  /** A master with short leases, so that a job need not wait long for the last one. */
  DrainCluster(Path directory, UnaryOperator<MasterConfig.Builder> settings) {
    this(directory, "tcp", settings);
  }

  /** The same, whose bytes move by another transport. */
  DrainCluster(Path directory, String transport, UnaryOperator<MasterConfig.Builder> settings) {
    this.directory = directory;
    this.transport = transport;
    this.master =
        await(
            Master.start(
                settings
                    .apply(
                        MasterConfig.builder().ephemeral().metadataLoops(2).leaseTtlMillis(1_000))
                    .build()));
    this.client =
        await(
            MoonpoolClient.connect(
                vertx(),
                ClientOptions.of("127.0.0.1", master.ports().rpc())
                    .but()
                    .transports(List.of(transport))
                    .build()));
  }

  private Vertx vertx() {
    Vertx vertx = Vertx.vertx();
    instances.add(vertx);
    return vertx;
  }

  static <T> T await(Future<T> future) {
    try {
      return future.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("not complete in time", e);
    }
  }

  MoonpoolClient client() {
    return client;
  }

  Master master() {
    return master;
  }

  /** The disk of a node, as far as its files are concerned. */
  Path diskDirectory(String name) {
    return directory.resolve("disk-" + name);
  }

  /** The data files on a node's disk. */
  List<Path> dataFiles(String name) {
    try (Stream<Path> files = Files.list(diskDirectory(name).resolve("buckets"))) {
      return files.filter(file -> file.toString().endsWith(".data")).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Starts a node with memory and a disk. */
  Node node(String name, String memory) {
    return node(name, memory, disk(name), settings -> settings);
  }

  DiskConfig disk(String name) {
    DiskConfig some = DiskConfig.in(diskDirectory(name));
    return new DiskConfig(
        some.dir(),
        some.quotaBytes(),
        some.evictionPolicy(),
        some.highWatermark(),
        some.lowWatermark(),
        some.bucketKeys(),
        some.bucketBytes(),
        10,
        32 << 20,
        some.stagingLeaseMillis(),
        some.port(),
        some.threads(),
        some.queueLimit(),
        2_000);
  }

  Node node(
      String name, String memory, DiskConfig disk, UnaryOperator<NodeConfig.Builder> settings) {
    NodeConfig config =
        settings
            .apply(
                NodeConfig.builder()
                    .ephemeral()
                    .masterPort(master.ports().rpc())
                    .name(name)
                    .hostId("host-" + name)
                    .dataDir(directory.resolve(name).toString())
                    .segmentBytes(memory.isEmpty() ? List.of() : List.of(memory))
                    .transports(List.of(transport))
                    .partBytes(4 << 20)
                    .stagingBytes(32 << 20)
                    .heartbeatIntervalMillis(100)
                    .disk(disk))
            .build();
    Node node = await(Node.start(vertx(), config));
    nodes.put(name, node);
    return node;
  }

  /** Stops a node in order. */
  void stop(String name) {
    await(nodes.remove(name).close());
  }

  // Objects

  void put(String key, byte[] value) {
    await(client.put(key, value, WriteOptions.DEFAULT));
  }

  byte[] get(String key) {
    return await(client.getBytes(key));
  }

  /** Where the complete replicas of an object are, by segment name. */
  List<String> places(String key) {
    Map<Long, String> names =
        segments().stream()
            .collect(Collectors.toMap(SegmentInfo::generation, each -> each.spec().name()));
    return await(client.describe(key)).replicas().stream()
        .filter(replica -> replica.status() == ReplicaStatus.COMPLETE)
        .map(ReplicaDescriptor::generation)
        .map(generation -> names.getOrDefault(generation, "?"))
        .sorted()
        .toList();
  }

  void awaitPlaces(String key, String... segments) {
    Awaitility.await(key)
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                org.assertj.core.api.Assertions.assertThat(places(key))
                    .containsExactlyInAnyOrder(segments));
  }

  boolean inMemory(String key) {
    return await(client.describe(key)).replicas().stream()
        .anyMatch(replica -> replica.type() == ReplicaType.MEMORY);
  }

  // Segments

  List<SegmentInfo> segments() {
    return await(client.segments());
  }

  /** The segments of a node. */
  List<SegmentInfo> segments(String node) {
    return segments().stream()
        .filter(segment -> segment.nodeId().equals(nodes.get(node).id()))
        .toList();
  }

  long usedMemory() {
    return segments().stream()
        .filter(segment -> segment.spec().kind() == SegmentKind.MEMORY)
        .mapToLong(SegmentInfo::usedBytes)
        .sum();
  }

  // Drains

  /** Asks the master about drains. */
  <T> T drains(Function<DrainOperations, Future<T>> question) {
    return await(asked(question));
  }

  <T> Future<T> asked(Function<DrainOperations, Future<T>> question) {
    Promise<T> answer = Promise.promise();
    master
        .vertx()
        .getOrCreateContext()
        .runOnContext(now -> question.apply(master.drains()).onComplete(answer));
    return answer.future();
  }

  /** A drain of a whole node, to segments of these names, or any. */
  DrainRequest request(String node, String... targets) {
    DrainRequest some = DrainRequest.ofNode(nodes.get(node).id().toString());
    return new DrainRequest(
        some.node(),
        List.of(),
        List.of(targets),
        some.maxConcurrency(),
        0,
        0,
        some.stallTimeoutMillis());
  }

  static DrainRequest slow(DrainRequest some, long maxBytesPerSecond) {
    return new DrainRequest(
        some.node(),
        some.segments(),
        some.targetSegments(),
        some.maxConcurrency(),
        maxBytesPerSecond,
        some.deadlineMillis(),
        some.stallTimeoutMillis());
  }

  /** Starts a job and waits for its end. */
  JobInfo drain(DrainRequest request) {
    return awaitEnd(drains(to -> to.createJob(request)).id());
  }

  JobInfo job(UUID id) {
    return drains(to -> to.job(id));
  }

  JobInfo awaitEnd(UUID id) {
    return awaitJob(id, job -> job.status().terminal());
  }

  JobInfo awaitJob(UUID id, Function<JobInfo, Boolean> condition) {
    JobInfo[] last = new JobInfo[1];
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                last[0] = job(id);
                return condition.apply(last[0]);
              });
    } catch (org.awaitility.core.ConditionTimeoutException e) {
      throw new AssertionError("the job is still " + last[0], e);
    }
    return last[0];
  }

  /** Moves an object's memory replica by hand, and waits until it has. */
  void move(String key, String source, String target) {
    UUID task = drains(to -> to.createMoveTask(new MoveRequest("", key, source, target))).id();
    TaskInfo[] last = new TaskInfo[1];
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              last[0] = drains(to -> to.task(task));
              return last[0].status().terminal();
            });
    if (last[0].status() != TaskStatus.SUCCESS) {
      throw new AssertionError("the move failed: " + last[0]);
    }
  }

  @Override
  public void close() {
    await(client.close());
    nodes.values().forEach(node -> node.close().otherwiseEmpty().await());
    await(master.close());
    instances.forEach(vertx -> await(vertx.close()));
  }
}
