package io.moonpool.node;

import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.parts.PartOptions;
import io.moonpool.client.parts.StagingPool;
import io.moonpool.node.disk.DiskStats;
import io.moonpool.node.disk.LocalDiskVerticle;
import io.moonpool.node.rest.HealthReport;
import io.moonpool.node.rest.RestVerticle;
import io.moonpool.node.task.TaskStats;
import io.moonpool.node.task.TaskVerticle;
import io.moonpool.protocol.frame.ConnectionLimit;
import io.moonpool.protocol.json.JsonForms;
import io.moonpool.transfer.MooncakePorts;
import io.moonpool.transfer.Workers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running node. Any thread may use it; futures complete on a context of its Vert.x instance. */
public final class Node {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);

  /** Threads that allocate, register and unmap memory: it is bound by the memory bus. */
  private static final int WORKERS = 2;

  private final Vertx vertx;
  private final NodeConfig config;
  private final NodeHealth health = new NodeHealth();
  private final NodeMetrics metrics = new NodeMetrics();
  private final Workers worker;
  private final TransferVerticle transfer;
  private final Map<VerticleBase, String> deployments = new ConcurrentHashMap<>();

  // Written while the node starts, one after the other; read by HTTP meanwhile.
  private volatile @Nullable StartContext context;
  private volatile @Nullable RestVerticle rest;
  private volatile @Nullable SegmentVerticle segments;
  private volatile @Nullable HeartbeatSender heartbeat;
  private volatile @Nullable LocalDiskVerticle disk;
  private volatile @Nullable TaskVerticle tasks;
  private volatile boolean serving;

  private @Nullable Future<Void> closing; // guarded by this

  private Node(Vertx vertx, NodeConfig config) {
    this.vertx = vertx;
    this.config = config;
    this.worker = new Workers(vertx, "moonpool-node-memory", WORKERS);
    this.transfer = new TransferVerticle(config);
  }

  /**
   * Starts a node: locks its data directory, allocates and serves its segments, registers with the
   * master, mounts, and opens its HTTP port. A master that is not there yet is waited for: health
   * and metrics are served meanwhile, and the future stays open.
   *
   * <p>Fails with a sentence that says what to do, and with nothing left behind, when the directory
   * is in use, a port is taken, memory is short, or the master refuses the node.
   */
  public static Future<Node> start(Vertx vertx, NodeConfig config) {
    Node node = new Node(vertx, config);
    return node.start()
        .<Node>map(node)
        .recover(failure -> node.close().transform(closed -> Future.failedFuture(failure)));
  }

  private Future<Void> start() {
    return worker
        .runInOrder(() -> StartContext.open(config))
        .compose(
            opened -> {
              context = opened;
              LOG.info("node {} in {}", opened.identity().nodeId(), config.dataDir());
              return deploy(transfer);
            })
        .compose(
            deployed -> {
              metrics.watch(transfer.transports());
              metrics.watch(health);
              RestVerticle verticle =
                  new RestVerticle(
                      opened().httpAddress(), limited("http"), this::report, metrics::scrape);
              rest = verticle;
              metrics.watch(verticle.stats());
              return deploy(verticle);
            })
        .compose(deployed -> deploySegments())
        .compose(deployed -> serve());
  }

  private Future<Void> deploySegments() {
    StartContext opened = opened();
    String address = opened.advertisedHttpHost(config) + ":" + httpPort();
    SegmentVerticle verticle =
        new SegmentVerticle(
            config,
            opened.identity(),
            address,
            transfer.transports(),
            opened.masterPort(),
            health,
            worker);
    HeartbeatSender sender =
        new HeartbeatSender(
            vertx, config, opened.masterPort(), opened.heartbeatTls(), verticle::remount);
    metrics.watch(sender.stats());
    verticle.heartbeat(sender);
    segments = verticle;
    heartbeat = sender;
    return deployDisk(verticle)
        .compose(deployed -> deployTasks(verticle))
        .compose(deployed -> deploy(verticle));
  }

  /** Opens the disk, if one is lent, before it is mounted with the memory. */
  private Future<Void> deployDisk(SegmentVerticle memory) {
    if (!config.disk().enabled()) {
      return Future.succeededFuture();
    }
    StartContext opened = opened();
    LocalDiskVerticle verticle =
        new LocalDiskVerticle(
            new LocalDiskVerticle.Settings(
                config.disk(),
                opened.identity().nodeId(),
                opened.identity().name(),
                opened.identity().hostId(),
                config.dataHost(),
                config.effectiveDataHost(),
                dataTls(),
                limited("disk"),
                opened.masterPort()),
            transfer.transports(),
            memory);
    disk = verticle;
    memory.disk(verticle);
    Objects.requireNonNull(rest).serve(verticle);
    metrics.watch(verticle.stats());
    return deploy(verticle);
  }

  private Future<Void> deployTasks(SegmentVerticle memory) {
    TaskVerticle verticle =
        new TaskVerticle(
            config.taskConcurrency(), opened().masterPort(), transfer.transports(), memory, disk);
    tasks = verticle;
    memory.tasks(verticle);
    metrics.watch(verticle.stats());
    return deploy(verticle);
  }

  /** The limit of a port of that name, which is watched. */
  private ConnectionLimit limited(String port) {
    ConnectionLimit limit = new ConnectionLimit(config.maxConnections());
    metrics.watch(port, limit);
    return limit;
  }

  private NetServerOptions dataTls() {
    NetServerOptions options = new NetServerOptions();
    return config.dataTls()
        ? options
            .setSsl(true)
            .setKeyCertOptions(
                new PemKeyCertOptions().addCertPath(config.tlsCert()).addKeyPath(config.tlsKey()))
        : options;
  }

  private Future<Void> serve() {
    ClientOptions options =
        ClientOptions.of(config.masterHost(), config.masterPort())
            .but()
            .name("node " + opened().identity().name() + " REST")
            .hostId(opened().identity().hostId())
            .requestTimeoutMillis(config.requestTimeoutMillis())
            .tlsCa(config.masterTlsCa())
            .build();
    Supplier<Future<MoonpoolClient>> connect =
        () ->
            MoonpoolClient.connect(vertx, options, transfer.transports())
                .onSuccess(connected -> metrics.watch(connected.counters()));
    PartOptions parts = new PartOptions(config.partBytes(), PartOptions.DEFAULT.partsAtOnce());
    StagingPool staging = new StagingPool(worker, config.partBytes(), config.stagingBytes());
    return Objects.requireNonNull(rest)
        .serve(connect, parts, staging, config.stagingWaitMillis(), config.putSpaceWaitMillis())
        .onSuccess(connected -> serving = true);
  }

  private Future<Void> deploy(VerticleBase verticle) {
    return vertx
        .deployVerticle(verticle)
        .<Void>map(
            id -> {
              deployments.put(verticle, id);
              return null;
            });
  }

  private Future<Void> undeploy(@Nullable VerticleBase verticle) {
    String id = verticle == null ? null : deployments.remove(verticle);
    return id == null ? Future.succeededFuture() : vertx.undeploy(id);
  }

  private HealthReport report() {
    HeartbeatSender sender = heartbeat;
    long silentMillis = sender == null ? 0 : sender.stats().silentMillis();
    NodeState state = health.state();
    boolean ready =
        serving && state == NodeState.MOUNTED && silentMillis < health.activeTtlMillis();
    JsonObject details =
        new JsonObject()
            .put("status", ready ? "ready" : "not ready")
            .put("state", JsonForms.name(state))
            .put("node_id", id().toString())
            .put("segments", health.segments())
            .put("segment_bytes", health.segmentBytes())
            .put("master", config.masterHost() + ":" + config.masterPort());
    if (state == NodeState.MOUNTED) {
      details.put("master_silent_ms", silentMillis);
      if (sender != null) {
        details.put("liveness", JsonForms.name(sender.stats().state()));
      }
    }
    return new HealthReport(ready, details);
  }

  private StartContext opened() {
    return Objects.requireNonNull(context, "not started");
  }

  /** The node's id, persisted in its data directory. */
  public UUID id() {
    return opened().identity().nodeId();
  }

  /** The port that HTTP listens on. */
  public int httpPort() {
    return Objects.requireNonNull(rest, "not started").port();
  }

  /** The port that the tcp transport listens on. */
  public int dataPort() {
    return transfer.transports().port();
  }

  /** The ports that clients of Mooncake are served at. */
  public MooncakePorts mooncakePorts() {
    return transfer.transports().mooncakePorts();
  }

  /** True when the master has mounted its segments and answers its pings. */
  public boolean isReady() {
    return report().ready();
  }

  /** What its disk counts. */
  DiskStats diskStats() {
    return Objects.requireNonNull(disk, "no disk is lent").stats();
  }

  /** What it counts of the copies and moves that it carries out. Once it is started. */
  public TaskStats taskStats() {
    return Objects.requireNonNull(tasks, "not started").stats();
  }

  /** What its heartbeat counts. */
  HeartbeatStats heartbeatStats() {
    return Objects.requireNonNull(heartbeat, "not started").stats();
  }

  /**
   * Stops HTTP, writes to disk what is in memory only, unmounts the segments, stops serving and
   * gives everything back. What can not be done because the master is gone is left to the master's
   * timeouts. Closing twice is closing once.
   *
   * @return fails with PERSISTENT_FAIL, after all is given back, when objects were lost because
   *     they did not get to disk in time, and says which; without a disk nothing is kept
   */
  public synchronized Future<Void> close() {
    Future<Void> underWay = closing;
    if (underWay == null) {
      underWay = closeAll();
      closing = underWay;
    }
    return underWay;
  }

  private Future<Void> save() {
    SegmentVerticle memory = segments;
    return memory != null && deployments.containsKey(memory)
        ? memory.save()
        : Future.succeededFuture();
  }

  /**
   * HTTP first, so that no request loses what it works with; tasks before the disk and the memory
   * that they read from; the disk before the memory that it reads from, but after it has taken what
   * is only there; the transports last.
   */
  private Future<Void> closeAll() {
    StartContext opened = context;
    HeartbeatSender sender = heartbeat;
    serving = false;
    Future<Void> stopped = undeploy(rest);
    return stopped
        .transform(done -> save().compose(saved -> stopped))
        .eventually(() -> undeploy(tasks))
        .eventually(() -> undeploy(disk))
        .eventually(() -> undeploy(segments))
        .eventually(() -> sender == null ? Future.succeededFuture() : sender.close())
        .eventually(() -> undeploy(transfer))
        .eventually(
            () ->
                worker.runInOrder(
                    () -> {
                      if (opened != null) {
                        opened.directory().close();
                      }
                      metrics.close();
                      return null;
                    }))
        .eventually(worker::close);
  }
}
