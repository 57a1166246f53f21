package io.moonpool.node;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.StoreException;
import io.moonpool.model.config.ByteSizes;
import io.moonpool.node.disk.DiskMount;
import io.moonpool.node.disk.LentMemory;
import io.moonpool.node.disk.LocalDiskVerticle;
import io.moonpool.node.task.TaskVerticle;
import io.moonpool.protocol.call.HelloAnswer;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.moonpool.transfer.Region;
import io.moonpool.transfer.Transports;
import io.moonpool.transfer.Workers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the segments that this node lends: allocates and registers their memory on a worker, mounts
 * them at the master, mounts them again when the master has lost them, and at the end unmounts them
 * and takes its leave.
 *
 * <p>Deployed once the node is mounted. A master that cannot be reached is waited for; one that
 * refuses the node fails the deployment, but that of a node id in use only after {@link
 * NodeConfig#registerTimeoutMillis}.
 */
final class SegmentVerticle extends VerticleBase implements LentMemory {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentVerticle.class);
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long MAX_PAUSE_MILLIS = 2_000;
  private static final long UNMOUNT_TIMEOUT_MILLIS = 5_000;

  /** Instead of the time to give up. */
  private static final long NEVER = Long.MAX_VALUE;

  private final NodeConfig config;
  private final NodeIdentity identity;
  private final String address;
  private final Transports transports;
  private final FrameClientOptions masterPort;
  private final NodeHealth health;
  private final Workers worker;
  private final List<LentSegment> segments = new ArrayList<>();
  private @Nullable MasterSession session;
  private @Nullable HeartbeatSender heartbeat;
  private @Nullable LocalDiskVerticle disk;
  private @Nullable TaskVerticle tasks;

  // Replaced as a whole; read by the threads that write to disk.
  private volatile Map<Long, MemorySegment> mountedMemory = Map.of();
  private MasterSession.@Nullable Mounted mounted;
  private Future<Void> mounting = Future.succeededFuture();

  /** The attempt to mount that is under way, or the last one. */
  private Promise<Void> attempt = Promise.promise();

  /** Whether that attempt has registered this node. */
  private boolean registered;

  private boolean leaving;
  private boolean closing;

  /**
   * A verticle.
   *
   * @param address of the node's REST interface
   * @param masterPort how the master's main port is reached
   * @param worker where memory is allocated, registered and unmapped
   */
  SegmentVerticle(
      NodeConfig config,
      NodeIdentity identity,
      String address,
      Transports transports,
      FrameClientOptions masterPort,
      NodeHealth health,
      Workers worker) {
    this.config = config;
    this.identity = identity;
    this.address = address;
    this.transports = transports;
    this.masterPort = masterPort;
    this.health = health;
    this.worker = worker;
  }

  /** Mounts a disk together with the memory once it is given, before this is deployed. */
  void disk(LocalDiskVerticle lent) {
    disk = lent;
  }

  /** Tells it about each registration once it is given, before this is deployed. */
  void tasks(TaskVerticle carriedOut) {
    tasks = carriedOut;
  }

  @Override
  public @Nullable MemorySegment find(long generation, long offset, long bytes) {
    MemorySegment memory = mountedMemory.get(generation);
    return memory == null || offset < 0 || bytes < 0 || offset > memory.byteSize() - bytes
        ? null
        : memory.asSlice(offset, bytes);
  }

  /** Sends pings once it is given, before this is deployed. */
  void heartbeat(HeartbeatSender sender) {
    heartbeat = sender;
  }

  /** Mounts again. Any thread. */
  void remount() {
    context.runOnContext(
        now -> {
          if (closing || leaving) {
            return;
          }
          if (!mounting.isComplete()) {
            // The registration of this attempt is worth nothing any more: the next one begins.
            attempt.tryFail(
                new StoreException(
                    ErrorCode.CLIENT_NOT_FOUND, "the master asked to be registered with again"));
            return;
          }
          health.state(NodeState.REMOUNTING);
          health.remounts.increment();
          LOG.warn("the master does not know this node any more: registering and mounting again");
          mounting = mountUntilDone(FIRST_PAUSE_MILLIS, NEVER);
        });
  }

  @Override
  public Future<?> start() {
    session = new MasterSession(FrameClient.create(vertx, masterPort), identity, address);
    long giveUpNanos =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(config.registerTimeoutMillis());
    return allocate(config.segmentSizes(), 0)
        .compose(
            allocated -> {
              mounting = mountUntilDone(FIRST_PAUSE_MILLIS, giveUpNanos);
              return mounting;
            })
        .recover(failure -> stop().transform(stopped -> Future.failedFuture(failure)));
  }

  /** One segment after the other: each saturates the memory bus by itself. */
  private Future<Void> allocate(List<Long> sizes, int index) {
    if (index == sizes.size()) {
      long total = sizes.stream().mapToLong(Long::longValue).sum();
      health.segments(sizes.size(), total);
      return Future.succeededFuture();
    }
    long size = sizes.get(index);
    UUID id = UUID.randomUUID();
    String name = identity.name() + "-" + index;
    return worker
        .runInOrder(() -> allocate(id, name, size))
        .compose(
            segment -> {
              segments.add(segment);
              LOG.info(
                  "segment {} {}: {} on pages of {}",
                  name,
                  id,
                  ByteSizes.format(size),
                  ByteSizes.format(segment.region().pageBytes()));
              return allocate(sizes, index + 1);
            });
  }

  private LentSegment allocate(UUID id, String name, long size) {
    Region region = transports.allocate(size);
    try {
      List<SegmentEndpoint> endpoints = transports.register(region, id);
      return new LentSegment(
          SegmentSpec.memory(id, name, size, identity.hostId(), endpoints), region);
    } catch (RuntimeException e) {
      region.close();
      throw e;
    }
  }

  private Future<Void> mountUntilDone(long pauseMillis, long giveUpNanos) {
    return mount()
        .recover(
            failure -> {
              if (closing || !mayPass(failure, giveUpNanos)) {
                return Future.failedFuture(failure);
              }
              LOG.info("not mounted yet, trying again: {}", failure.getMessage());
              return vertx
                  .timer(pauseMillis, TimeUnit.MILLISECONDS)
                  .compose(
                      later ->
                          closing
                              ? Future.failedFuture(failure)
                              : mountUntilDone(
                                  Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS), giveUpNanos));
            });
  }

  /** Whether waiting may help: the master is not there, or still holds on to an earlier process. */
  private static boolean mayPass(Throwable failure, long giveUpNanos) {
    if (giveUpNanos == NEVER) {
      return true; // it has served before: whatever is wrong now may be put right
    }
    return switch (StoreException.codeOf(failure)) {
      case RPC_FAIL, RPC_TIMEOUT, KEYS_ULTRA_LIMIT, CLIENT_NOT_FOUND -> true;
      case UNAVAILABLE_IN_CURRENT_STATUS, SEGMENT_ALREADY_EXISTS ->
          System.nanoTime() - giveUpNanos < 0;
      default -> false;
    };
  }

  /** What is mounted: the memory, then the disk. */
  private List<SegmentSpec> specs() {
    return withDisk(segments.stream().map(LentSegment::spec).toList());
  }

  /** The same as it is announced by the next mount. */
  private List<SegmentSpec> announced() {
    return transports.servesMooncake()
        ? withDisk(segments.stream().map(this::announced).toList())
        : specs();
  }

  private SegmentSpec announced(LentSegment segment) {
    return segment.with(transports.announceToMooncake(segment.spec().id()).toEndpoint());
  }

  private List<SegmentSpec> withDisk(List<SegmentSpec> memory) {
    List<SegmentSpec> specs = new ArrayList<>(memory);
    LocalDiskVerticle lent = disk;
    if (lent != null) {
      specs.add(lent.spec());
    }
    return specs;
  }

  private Future<Void> mount() {
    Promise<Void> current = Promise.promise();
    attempt = current;
    registered = false;
    requireSession()
        .mount(this::announced, this::announce)
        .compose(done -> addresses(done).compose(bases -> activate(current, done, bases)))
        .onSuccess(
            done -> {
              if (!current.future().isComplete()) {
                mounted(done);
                current.complete();
              }
            })
        .onFailure(current::tryFail);
    return current.future();
  }

  /**
   * At which addresses clients of Mooncake find the memory, by generation. The master is asked,
   * since it keeps what it was told first: an earlier attempt may have mounted the memory, and its
   * answer have been lost.
   */
  private Future<Map<Long, Long>> addresses(MasterSession.Mounted done) {
    if (!transports.servesMooncake() || segments.isEmpty()) {
      return Future.succeededFuture(Map.of());
    }
    return requireSession()
        .describe(done.generations().subList(0, segments.size()))
        .map(
            known -> {
              Map<Long, Long> bases = new HashMap<>();
              for (SegmentInfo info : known) {
                for (SegmentEndpoint endpoint : info.spec().endpoints()) {
                  MooncakeEndpoint read = MooncakeEndpoint.of(endpoint);
                  if (read != null) {
                    bases.put(info.generation(), read.base());
                  }
                }
              }
              return bases;
            });
  }

  private Future<MasterSession.Mounted> activate(
      Promise<Void> current, MasterSession.Mounted done, Map<Long, Long> bases) {
    if (current.future().isComplete()) {
      return Future.succeededFuture(done);
    }
    return worker.runInOrder(
        () -> {
          for (int i = 0; i < segments.size(); i++) {
            UUID id = segments.get(i).spec().id();
            long generation = done.generations().get(i);
            transports.activate(id, generation);
            Long base = bases.get(generation);
            if (base != null) {
              transports.activateForMooncake(id, generation, base);
            }
          }
          return done;
        });
  }

  /** Has pings sent from now on, though nothing may be mounted yet. */
  private void announce(HelloAnswer master, NodeRegistration registration) {
    registered = true;
    health.activeTtlMillis(registration.activeTtlMillis());
    HeartbeatSender sender = heartbeat;
    if (sender != null && !closing) {
      sender.announce(
          new Announcement(
              master.heartbeatPort(), registration.slot(), registration.incarnation()));
    }
  }

  private void mounted(MasterSession.Mounted done) {
    mounted = done;
    Map<Long, MemorySegment> memory = new HashMap<>();
    for (int i = 0; i < segments.size(); i++) {
      memory.put(done.generations().get(i), segments.get(i).region().memory());
    }
    mountedMemory = Map.copyOf(memory);
    LocalDiskVerticle lent = disk;
    if (lent != null) {
      lent.mounted(
          new DiskMount(
              identity.nodeId(), done.registration().incarnation(), done.generations().getLast()));
    }
    TaskVerticle carriedOut = tasks;
    if (carriedOut != null) {
      carriedOut.mounted(identity.nodeId(), done.registration().incarnation());
    }
    health.state(closing ? NodeState.CLOSING : NodeState.MOUNTED);
    LOG.info(
        "mounted {} segments at master {} as incarnation {}",
        segments.size(),
        done.master().clusterId(),
        done.registration().incarnation());
  }

  private MasterSession requireSession() {
    MasterSession opened = session;
    if (opened == null) {
      throw new IllegalStateException("not started");
    }
    return opened;
  }

  /**
   * Takes no new objects any more, and has what would be lost with the memory written to the disk,
   * for a limited time. Once it is deployed, before it is undeployed; any thread.
   *
   * @return fails with PERSISTENT_FAIL and says what is lost when it took too long
   */
  Future<Void> save() {
    Promise<Void> saved = Promise.promise();
    context.runOnContext(now -> saveNow().onComplete(saved));
    return saved.future();
  }

  private Future<Void> saveNow() {
    MasterSession.Mounted now = mounted;
    if (disk == null || now == null || health.state() != NodeState.MOUNTED) {
      return Future.succeededFuture();
    }
    leaving = true;
    return new LastOffload(
            vertx,
            requireSession(),
            now.registration().incarnation(),
            config.disk().shutdownMillis())
        .run(
            segments.stream().map(segment -> segment.spec().id()).toList(),
            now.generations().subList(0, segments.size()));
  }

  @Override
  public Future<?> stop() {
    closing = true;
    health.state(NodeState.CLOSING);
    if (registered) {
      // Its turn to mount may be long in coming; the farewell is for that registration.
      attempt.tryFail(
          new StoreException(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, "this node is closed"));
    }
    // An attempt that is under way would register this node behind its farewell.
    return mounting
        .transform(ended -> unmount())
        .transform(unmounted -> requireSession().leave())
        .timeout(UNMOUNT_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
        .onFailure(
            failure ->
                LOG.warn(
                    "the master was not told that this node leaves, and will notice by itself: {}",
                    failure.getMessage()))
        .transform(unmounted -> release());
  }

  private Future<Void> unmount() {
    MasterSession.Mounted now = mounted;
    if (now == null || specs().isEmpty()) {
      return Future.succeededFuture();
    }
    List<Future<Void>> unmounts = new ArrayList<>();
    for (SegmentSpec spec : specs()) {
      unmounts.add(requireSession().unmount(now.registration().incarnation(), spec.id()));
    }
    return Future.join(unmounts).mapEmpty();
  }

  private Future<Void> release() {
    List<Future<Void>> withdrawals = new ArrayList<>();
    segments.forEach(segment -> withdrawals.add(transports.unregister(segment.spec().id())));
    return (withdrawals.isEmpty()
            ? Future.<Void>succeededFuture()
            : Future.join(withdrawals).<Void>mapEmpty())
        .compose(
            withdrawn ->
                worker.runInOrder(
                    () -> {
                      segments.forEach(segment -> segment.region().close());
                      return null;
                    }))
        .eventually(() -> requireSession().close())
        .mapEmpty();
  }
}
