package io.moonpool.master;

import io.moonpool.core.allocation.AllocationStrategy;
import io.moonpool.core.liveness.ClientRegistry;
import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.core.segment.SegmentRegistry;
import io.moonpool.master.api.ApiVerticle;
import io.moonpool.master.bus.ClusteredBus;
import io.moonpool.master.disk.DiskOwner;
import io.moonpool.master.disk.DiskVerticle;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.drain.DrainOwner;
import io.moonpool.master.drain.DrainSchedulerVerticle;
import io.moonpool.master.heartbeat.ClientsById;
import io.moonpool.master.heartbeat.HeartbeatVerticle;
import io.moonpool.master.heartbeat.LockedRecorder;
import io.moonpool.master.heartbeat.PingRecorder;
import io.moonpool.master.heartbeat.SlotRecorder;
import io.moonpool.master.journal.Journal;
import io.moonpool.master.journal.JournalKeeper;
import io.moonpool.master.journal.KnownDisks;
import io.moonpool.master.loop.MasterLoop;
import io.moonpool.master.loop.MasterLoops;
import io.moonpool.master.metadata.MetadataProxy;
import io.moonpool.master.metadata.MetadataVerticle;
import io.moonpool.master.metadata.SegmentSubscriber;
import io.moonpool.master.metadata.WholeIndexMounts;
import io.moonpool.master.monitor.ClientMonitorProxy;
import io.moonpool.master.monitor.ClientMonitorVerticle;
import io.moonpool.master.monitor.LivenessOperations;
import io.moonpool.master.rig.Ablation;
import io.moonpool.master.rig.MasterRig;
import io.moonpool.master.segment.SegmentDirectory;
import io.moonpool.master.segment.SegmentEvents;
import io.moonpool.master.segment.SegmentProxy;
import io.moonpool.master.segment.SegmentVerticle;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.call.HelloAnswer;
import io.moonpool.protocol.frame.ConnectionLimit;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running master: its own Vert.x instance with pinned event loops, the verticles on it, and the
 * ports they listen on.
 *
 * <p>Its methods may be called from any thread. Futures complete on one of the master's contexts.
 *
 * <p>Longer than most classes: it is the one place that knows all parts, connects them, and starts
 * and stops them in their order.
 */
public final class Master {
  private static final Logger LOG = LoggerFactory.getLogger(Master.class);
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final String THREADS = "moonpool";

  private final MasterConfig config;
  private final String threads;
  private final MasterLoops loops;
  private final ServerTls tls;
  private final long epoch;
  private final Journal journal;
  private final JournalKeeper keeper;
  private final CallMeters meters = new CallMeters();
  private final SegmentDirectory directory = new SegmentDirectory();
  private final MetadataProxy metadata;
  private final ClientMonitorVerticle monitor;
  private final SegmentRegistry segmentRegistry;
  private final SegmentVerticle segments;
  private final DiskOwner disks;
  private final DiskVerticle diskVerticle;
  private final DrainOwner drains;
  private final DrainSchedulerVerticle drainScheduler;
  private final HeartbeatVerticle heartbeat;
  private final ClientsById clientsById = new ClientsById();
  private final MasterLoop heartbeatLoop;
  private final PingRecorder recorder;
  private final List<ApiVerticle> listeners = new CopyOnWriteArrayList<>();
  private MasterPorts ports = new MasterPorts(0, 0, 0, 0);

  // Set when the heartbeat port is known, before anything that uses it is started.
  @SuppressWarnings("NullAway.Init")
  private MasterContext context;

  private Master(
      MasterConfig config,
      MasterLoops loops,
      ServerTls tls,
      OpenedJournal opened,
      String threads,
      MasterRig rig) {
    this.config = config;
    this.threads = threads;
    this.loops = loops;
    this.tls = tls;
    this.epoch = opened.epoch();
    this.journal = opened.journal();
    long startedNanos = System.nanoTime();
    LongSupplier clockMillis = () -> (System.nanoTime() - startedNanos) / NANOS_PER_MILLI;
    ObservedClock observed = new ObservedClock(startedNanos);
    ClientRegistry clients = new ClientRegistry(epoch);
    segmentRegistry =
        new SegmentRegistry(
            epoch,
            AllocationStrategy.ofConfigName(config.allocationStrategy()),
            config.join().segmentRampUpMillis(),
            new ExtentBlocks());
    disks = new DiskOwner(loops.control());
    metadata =
        new MetadataProxy(
            config,
            loops.metadata(),
            clockMillis,
            segmentRegistry.placement(),
            segmentRegistry.usage(),
            directory::name,
            MasterEpoch.firstSequence(epoch),
            journal,
            opened.state(),
            disks);
    KnownDisks known =
        new KnownDisks(opened.state(), journal, loops.control(), System::currentTimeMillis);
    keeper =
        new JournalKeeper(
            journal,
            known,
            metadata,
            opened.state().endEpoch(),
            MasterEpoch.SEQUENCES_AN_EPOCH,
            config.diskAbsenceTtlMillis(),
            config.diskFloorLimit(),
            config.diskPatternLimit());
    monitor = new ClientMonitorVerticle(config, clients, observed);
    // Nobody else has the lock in a master as it is, and nobody there takes it.
    Lock rigLock = new ReentrantLock();
    SegmentSubscriber mounts =
        rig.ablation() == Ablation.NONE ? metadata : new WholeIndexMounts(metadata, rigLock);
    segments =
        new SegmentVerticle(
            segmentRegistry,
            mounts,
            monitor,
            known,
            directory,
            new SegmentEvents(loops.vertx().eventBus()),
            clockMillis,
            config.join().mountConcurrency());
    drains = new DrainOwner(loops.control());
    drainScheduler =
        new DrainSchedulerVerticle(
            config,
            loops.vertx(),
            loops.control(),
            metadata.drains(),
            segmentRegistry,
            segments,
            monitor,
            monitor::list,
            journal,
            opened.state(),
            clockMillis);
    drains.lead(drainScheduler);
    metadata.drains().listen(drains);
    segments.hold(drainScheduler);
    diskVerticle =
        new DiskVerticle(
            config, segmentRegistry, metadata, monitor, metadata.disks(), known, drainScheduler);
    disks.lead(diskVerticle);
    monitor.subscribe(segments);
    PingRecorder slots = new SlotRecorder(clients.published(), observed, Math.toIntExact(epoch));
    recorder = rig.ablation() == Ablation.LOCK ? new LockedRecorder(slots, rigLock) : slots;
    heartbeatLoop =
        rig.ablation() == Ablation.SHARED_LOOP ? loops.metadata().getFirst() : loops.heartbeat();
    heartbeat =
        new HeartbeatVerticle(
            config,
            heartbeatLoop,
            loops.transport().implementation(),
            recorder,
            clientsById,
            tls.nettyContext());
    rig.restore()
        .fill(
            new RestoredPool(
                segmentRegistry,
                metadata.restored(),
                config.clientActiveTtlMillis() + config.clientSuspicionTtlMillis()));
  }

  /** Starts a master with the hot port and the heartbeat port only. */
  public static Future<Master> start(MasterConfig config) {
    return start(config, new VertxOptions(), UnaryOperator.identity(), List.of());
  }

  /**
   * Starts a master. Reads the certificate files on the calling thread.
   *
   * @param options of its Vert.x; the master sets the number of event loops itself
   * @param customisation adds to the builder what the process wants: metrics, a cluster manager;
   *     must not replace options or transport
   * @param interfaces further ways in, started in this order after the hot port
   * @return fails with a clear message when a port is taken or a file cannot be read; nothing is
   *     left running then
   */
  public static Future<Master> start(
      MasterConfig config,
      VertxOptions options,
      UnaryOperator<VertxBuilder> customisation,
      List<MasterInterface> interfaces) {
    return start(config, options, customisation, interfaces, THREADS, MasterRig.NONE);
  }

  /**
   * As {@link #start(MasterConfig, VertxOptions, UnaryOperator, List)}, for a load test.
   *
   * @param rig how it differs from other masters; it is restored before any port is open
   */
  public static Future<Master> start(
      MasterConfig config,
      VertxOptions options,
      UnaryOperator<VertxBuilder> customisation,
      List<MasterInterface> interfaces,
      MasterRig rig) {
    return start(config, options, customisation, interfaces, THREADS, rig);
  }

  /** A master with another beginning of the names of its loops' threads. */
  static Future<Master> start(
      MasterConfig config,
      VertxOptions options,
      UnaryOperator<VertxBuilder> customisation,
      List<MasterInterface> interfaces,
      String threads) {
    return start(config, options, customisation, interfaces, threads, MasterRig.NONE);
  }

  private static Future<Master> start(
      MasterConfig config,
      VertxOptions options,
      UnaryOperator<VertxBuilder> customisation,
      List<MasterInterface> interfaces,
      String threads,
      MasterRig rig) {
    ServerTls tls;
    try {
      tls = ServerTls.of(config);
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    int metadataLoops = config.metadataLoopsFor(Runtime.getRuntime().availableProcessors());
    Future<MasterLoops> built;
    try {
      built =
          config.clusterBus()
              ? MasterLoops.buildClustered(
                  threads,
                  metadataLoops,
                  config.loopQueueLimit(),
                  ClusteredBus.configure(options, config),
                  builder -> ClusteredBus.join(customisation.apply(builder), config))
              : Future.succeededFuture(
                  MasterLoops.build(
                      threads, metadataLoops, config.loopQueueLimit(), options, customisation));
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    return built.compose(
        loops -> {
          return blocking(threads, () -> OpenedJournal.of(config))
              .compose(opened -> run(config, loops, tls, opened, interfaces, threads, rig))
              .recover(
                  failure ->
                      loops.close().transform(closed -> Future.<Master>failedFuture(failure)));
        });
  }

  private static Future<Master> run(
      MasterConfig config,
      MasterLoops loops,
      ServerTls tls,
      OpenedJournal opened,
      List<MasterInterface> interfaces,
      String threads,
      MasterRig rig) {
    // Reads all floors and restores: not on an event loop.
    return blocking(threads, () -> new Master(config, loops, tls, opened, threads, rig))
        .compose(
            master ->
                master
                    .metadata
                    .recordTenants()
                    .compose(ignored -> master.deploy(interfaces))
                    .map(master))
        .recover(
            failure ->
                closeJournal(threads, opened.journal())
                    .transform(closed -> Future.<Master>failedFuture(failure)));
  }

  private static Future<Void> closeJournal(String threads, Journal journal) {
    return blocking(
            threads,
            () -> {
              journal.close();
              return journal;
            })
        .mapEmpty();
  }

  /**
   * Runs something that blocks on a thread of its own: before the workers are of use and after they
   * are gone, and its future does not depend on loops that may be closed by then.
   *
   * @param threads what its name begins with: the log tells a rehearsal's threads by it
   */
  private static <T> Future<T> blocking(String threads, Supplier<T> body) {
    Promise<T> done = Promise.promise();
    Thread.ofPlatform()
        .name(threads + "-start")
        .start(
            () -> {
              T result;
              try {
                result = body.get();
              } catch (RuntimeException e) {
                done.fail(e);
                return;
              }
              done.complete(result);
            });
    return done.future();
  }

  private Future<Void> deploy(List<MasterInterface> interfaces) {
    List<Future<String>> owners = new ArrayList<>();
    for (MetadataVerticle owner : metadata.verticles()) {
      owners.add(loops.deploy(owner.loop(), owner));
    }
    owners.add(loops.deploy(loops.control(), monitor));
    owners.add(loops.deploy(loops.control(), segments));
    owners.add(loops.deploy(loops.control(), diskVerticle));
    owners.add(loops.deploy(loops.control(), drainScheduler));
    owners.add(loops.deploy(loops.control(), keeper));
    owners.add(loops.deploy(heartbeatLoop, heartbeat));
    Future<Void> started =
        Future.all(owners).compose(ignored -> listen(heartbeat.port(), interfaces)).mapEmpty();
    for (MasterInterface each : interfaces) {
      started =
          started.compose(
              ignored ->
                  each.start(context)
                      .<Void>map(
                          port -> {
                            note(each.kind(), port);
                            return null;
                          }));
    }
    return started.onSuccess(
        ignored -> {
          // What starting took is not what handlers take.
          resetMeters();
          LOG.info(
              "master of cluster {} is up, epoch {}: rpc {}:{}, heartbeat {}, grpc {}, http {},"
                  + " {} metadata loops on {}",
              config.clusterId(),
              epoch,
              config.rpcHost(),
              ports.rpc(),
              ports.heartbeat(),
              ports.grpc(),
              ports.http(),
              loops.metadata().size(),
              loops.transport().name());
        });
  }

  /** Opens the main port, with a listener on each metadata loop. */
  private Future<Void> listen(int heartbeatPort, List<MasterInterface> interfaces) {
    HelloAnswer self =
        new HelloAnswer(
            Hello.VERSION,
            version(),
            config.clusterId(),
            epoch,
            config.leaseTtlMillis(),
            config.writeGrantMillis(),
            heartbeatPort);
    ClientMonitorProxy clients = new ClientMonitorProxy(loops.control(), monitor);
    MasterOperations operations =
        new OwnerOperations(
            self, metadata, new SegmentProxy(loops.control(), segments), clients, meters);
    CountedPings pings = new CountedPings(recorder);
    LoopStats stats =
        new LoopStats(
            loops,
            meters,
            metadata,
            segmentRegistry.usage(),
            monitor.counts(),
            segments,
            heartbeat,
            listeners,
            pings,
            recorder.clock(),
            journal,
            drainScheduler.counts());
    context =
        new MasterContext(
            loops.vertx(),
            config,
            operations,
            drains,
            disks,
            drains,
            directory,
            clients,
            pings,
            clientsById,
            stats);
    ConnectionLimit connections = new ConnectionLimit(config.maxConnections());
    return loops
        .deployOnEach(
            loops.metadata(),
            () -> {
              ApiVerticle listener =
                  new ApiVerticle(
                      config,
                      operations,
                      disks,
                      drains,
                      recorder,
                      loops.metadata(),
                      tls.serverOptions(),
                      connections,
                      calls -> interfaces.forEach(each -> each.addCalls(calls, context)));
              listeners.add(listener);
              return listener;
            })
        .map(
            ignored -> {
              ports = new MasterPorts(listeners.getFirst().port(), heartbeatPort, 0, 0);
              return null;
            });
  }

  private void note(MasterInterface.Kind kind, int port) {
    if (kind == MasterInterface.Kind.GRPC || kind == MasterInterface.Kind.HTTP) {
      loops.limits().limit(JsonForms.name(kind), port, config.maxConnections());
    }
    ports =
        switch (kind) {
          case GRPC -> new MasterPorts(ports.rpc(), ports.heartbeat(), port, ports.http());
          case HTTP -> new MasterPorts(ports.rpc(), ports.heartbeat(), ports.grpc(), port);
          case EVENT_BUS, FRAMES -> ports;
        };
  }

  private static String version() {
    String version = Master.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** The ports that it really listens on. */
  public MasterPorts ports() {
    return ports;
  }

  /**
   * Everything it can be asked, for callers in this process. Call from a context of {@link #vertx}.
   */
  public MasterOperations operations() {
    return context.operations();
  }

  /** What it can be asked about drains, copies and moves; call as {@link #operations}. */
  public DrainOperations drains() {
    return context.drains();
  }

  /** What it can be asked about the liveness of its nodes; call as {@link #operations}. */
  public LivenessOperations liveness() {
    return context.liveness();
  }

  /** Its counters. */
  public MasterStats stats() {
    return context.stats();
  }

  /**
   * Forgets the longest handlers so far: what starting and warming up took is not what handlers
   * take.
   */
  public void resetMeters() {
    loops.all().forEach(loop -> loop.meter().reset());
  }

  /** Its Vert.x; contexts made from it never run on the heartbeat loop. */
  public Vertx vertx() {
    return loops.vertx();
  }

  /** The clients whose pings name no slot. */
  ClientsById clientsById() {
    return clientsById;
  }

  /** Its event loops. */
  MasterLoops loops() {
    return loops;
  }

  /** What it remembers across restarts. */
  public Journal journal() {
    return journal;
  }

  /**
   * Says that the process rehearses. Handlers that take long before the rehearsal is over are
   * counted and not logged: what they take is the loading of classes. Any thread.
   *
   * @param rehearsal what {@link Rehearsal#run} answered
   */
  public void rehearsing(Future<Void> rehearsal) {
    loops.all().forEach(loop -> loop.meter().logs(false));
    rehearsal.onComplete(over -> loops.all().forEach(loop -> loop.meter().logs(true)));
  }

  /** Stops listening, undeploys, closes its Vert.x, then the journal. */
  public Future<Void> close() {
    return loops.close().eventually(() -> closeJournal(threads, journal));
  }
}
