package io.moonpool.master.segment;

import io.moonpool.core.segment.MountResult;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.core.segment.SegmentEvent;
import io.moonpool.core.segment.SegmentRegistry;
import io.moonpool.core.segment.SegmentUpdate;
import io.moonpool.master.metadata.SegmentSubscriber;
import io.moonpool.master.monitor.LivenessSubscriber;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.UnmountSegment;
import io.moonpool.protocol.frame.LogGate;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the segments: mounts, unmounts, and follows the liveness of their nodes. Every change goes
 * to all metadata loops in the order in which it was made; an unmount ends when all of them have
 * removed what was on the segment.
 *
 * <p>A sweep that fails is started again, so that an unmount always ends.
 */
public final class SegmentVerticle extends VerticleBase
    implements LivenessSubscriber, SegmentFlips {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentVerticle.class);

  /** How often allocators apply what was given back while their lock was taken. */
  private static final long SETTLE_MILLIS = 50;

  private static final long SWEEP_RETRY_MILLIS = 200;

  /** How often segments that joined lately get a larger part of their share. */
  private static final long RAMP_MILLIS = 100;

  private final SegmentRegistry registry;
  private final SegmentSubscriber metadata;
  private final NodeAdmission nodes;
  private final DiskNumbers disks;
  private final SegmentDirectory directory;
  private final SegmentEvents events;
  private final LongSupplier clockMillis;
  private final MountAdmission admission;

  /** Who asks again and again for what cannot be does not fill the log. */
  private final LogGate refusals = new LogGate();

  /** Set before it is deployed. */
  private @Nullable SegmentHolder holder;

  /** The unmounts that go on, by generation. */
  private final Map<Long, Unmount> unmounts = new HashMap<>();

  private long graceTimer = -1;
  private volatile int ramping;

  /**
   * A verticle that must be deployed on the control loop.
   *
   * @param metadata follows all changes
   * @param disks the numbers of disks
   * @param clockMillis monotonic
   * @param mountConcurrency how many calls that mount are carried out at one time
   */
  public SegmentVerticle(
      SegmentRegistry registry,
      SegmentSubscriber metadata,
      NodeAdmission nodes,
      DiskNumbers disks,
      SegmentDirectory directory,
      SegmentEvents events,
      LongSupplier clockMillis,
      int mountConcurrency) {
    this.registry = registry;
    this.metadata = metadata;
    this.nodes = nodes;
    this.disks = disks;
    this.directory = directory;
    this.events = events;
    this.clockMillis = clockMillis;
    this.admission = new MountAdmission(mountConcurrency);
  }

  /** Names who empties segments; before the verticle is deployed. */
  public void hold(SegmentHolder by) {
    holder = by;
  }

  private SegmentHolder holder() {
    SegmentHolder present = holder;
    if (present == null) {
      throw new IllegalStateException("nobody holds segments yet");
    }
    return present;
  }

  @Override
  public Future<?> start() {
    directory.publish(registry.list());
    vertx.setPeriodic(SETTLE_MILLIS, ignored -> registry.placement().current().settle());
    vertx.setPeriodic(RAMP_MILLIS, ignored -> rampUp());
    return Future.succeededFuture();
  }

  /**
   * Mounts segments when it is their turn.
   *
   * @param callerGone as {@link MountAdmission#admit} asks it
   */
  Future<List<Outcome<Long>>> mount(MountSegments request, BooleanSupplier callerGone) {
    // Before it waits for its turn: that a node asked long ago does not make it alive now.
    long arrivedMillis = nodes.observedMillis();
    return admission.admit(
        callerGone,
        () ->
            nodes.admitted(
                request.nodeId(), request.incarnation(), arrivedMillis, () -> mountAll(request)),
        () ->
            Future.failedFuture(
                new StoreException(
                    ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
                    "the caller went away before it was its turn")));
  }

  private void rampUp() {
    registry.rampUp(clockMillis.getAsLong());
    ramping = registry.ramping();
  }

  /** Segments that take less than their share of new objects. Any thread. */
  public int segmentsRamping() {
    return ramping;
  }

  /** Calls that mount segments and are carried out. Any thread. */
  public int mountsRunning() {
    return admission.running();
  }

  /** Calls that mount segments and wait for their turn. Any thread. */
  public int mountsWaiting() {
    return admission.waiting();
  }

  private Future<List<Outcome<Long>>> mountAll(MountSegments request) {
    List<SegmentSpec> memory =
        request.segments().stream().filter(spec -> spec.kind() == SegmentKind.MEMORY).toList();
    SegmentUpdate<List<MountResult>> update =
        registry.mount(request.nodeId(), nodes.state(request.nodeId()), memory);
    Future<Void> followed = followMounts(update.changes());
    Iterator<MountResult> results = update.result().iterator();
    List<Future<Outcome<Long>>> mounts = new ArrayList<>(request.segments().size());
    for (SegmentSpec spec : request.segments()) {
      mounts.add(
          spec.kind() == SegmentKind.MEMORY
              ? Future.succeededFuture(outcome(request.nodeId(), results.next()))
              : mountDisk(request, spec));
    }
    return Future.all(mounts)
        .compose(mounted -> followed)
        .map(done -> mounts.stream().map(Future::result).toList());
  }

  /** Mounts a disk once its number is durable. */
  private Future<Outcome<Long>> mountDisk(MountSegments request, SegmentSpec spec) {
    return disks
        .mounting(spec.id(), request.nodeId(), spec.name())
        .compose(
            number -> {
              ErrorCode admission = nodes.admit(request.nodeId(), request.incarnation());
              if (admission != ErrorCode.OK) {
                absentUnlessMounted(spec, number);
                return Future.succeededFuture(Outcome.error(admission));
              }
              SegmentUpdate<MountResult> update =
                  registry.mountDisk(request.nodeId(), nodes.state(request.nodeId()), spec, number);
              absentUnlessMounted(spec, number);
              return followMounts(update.changes()).map(outcome(request.nodeId(), update.result()));
            });
  }

  /**
   * Hands on that segments are mounted. One that is held is drained in the same turn, so that no
   * metadata loop ever places anything there.
   */
  private Future<Void> followMounts(List<SegmentChange> mounts) {
    List<SegmentChange> changes = new ArrayList<>(mounts);
    List<SegmentInfo> mounted = new ArrayList<>();
    for (SegmentChange mount : mounts) {
      registry
          .find(mount.generation())
          .ifPresent(
              segment -> {
                UUID id = segment.spec().id();
                if (holder().holds(id)) {
                  changes.addAll(registry.drain(id, SegmentEvent.DRAIN).changes());
                }
                registry.find(mount.generation()).ifPresent(mounted::add);
              });
    }
    Future<Void> followed = follow(changes);
    mounted.forEach(holder()::mounted);
    return followed;
  }

  private void absentUnlessMounted(SegmentSpec spec, int disk) {
    boolean mounted =
        registry
            .findById(spec.id())
            .filter(segment -> segment.status() != SegmentStatus.UNMOUNTING)
            .isPresent();
    if (!mounted) {
      disks.absent(disk);
    }
  }

  private Outcome<Long> outcome(UUID nodeId, MountResult result) {
    if (result.code() != ErrorCode.OK) {
      long suppressed = refusals.tryPass(System.nanoTime());
      if (suppressed >= 0) {
        LOG.warn(
            "node {} cannot mount a segment: {} {} ({} similar lines left out)",
            nodeId,
            result.code(),
            result.message(),
            suppressed);
      }
    }
    return result.toOutcome();
  }

  Future<Void> unmount(UnmountSegment request) {
    Optional<SegmentInfo> known = registry.findById(request.segmentId());
    if (known.isEmpty()) {
      return Future.succeededFuture();
    }
    ErrorCode admission = nodes.admit(request.nodeId(), request.incarnation());
    if (admission != ErrorCode.OK) {
      return Future.failedFuture(NodeAdmission.refusal(admission, request.nodeId()));
    }
    SegmentInfo segment = known.get();
    Unmount underWay = unmounts.get(segment.generation());
    if (segment.status() == SegmentStatus.UNMOUNTING
        && underWay != null
        && segment.nodeId().equals(request.nodeId())) {
      // Asked for again, maybe by a later incarnation: it ends when the first one does.
      nodes.observe(request.nodeId(), request.incarnation(), nodes.observedMillis());
      return underWay.gone.future();
    }
    SegmentUpdate<ErrorCode> update =
        request.graceMillis() == 0
            ? registry.unmount(request.nodeId(), request.segmentId())
            : registry.unmountLater(
                request.nodeId(),
                request.segmentId(),
                request.graceMillis(),
                clockMillis.getAsLong());
    if (update.result() != ErrorCode.OK) {
      return Future.failedFuture(new StoreException(update.result()));
    }
    nodes.observe(request.nodeId(), request.incarnation(), nodes.observedMillis());
    Future<Void> gone = unmount(segment.generation(), request.nodeId()).gone.future();
    follow(update.changes());
    armGraceTimer();
    return gone;
  }

  /** The unmount of that mount, which goes on or begins now. */
  private Unmount unmount(long generation, UUID nodeId) {
    return unmounts.computeIfAbsent(generation, ignored -> new Unmount(nodeId, Promise.promise()));
  }

  @Override
  public Future<Void> ownerChanged(UUID nodeId, ClientState state) {
    List<SegmentChange> changes = registry.ownerChanged(nodeId, state);
    Future<Void> followed = follow(changes);
    if (state != ClientState.OFFLINE) {
      holder().nodeHeard(nodeId, state == ClientState.ACTIVE);
      return followed;
    }
    holder().nodeGone(nodeId);
    return gone(nodeId);
  }

  @Override
  public void judged(long observedMillis) {
    if (registry.restored() == 0) {
      return;
    }
    List<SegmentChange> ended = registry.endRestored(observedMillis);
    if (!ended.isEmpty()) {
      LOG.warn(
          "{} segments of an earlier life of the master were not mounted again in time: what is on"
              + " them is forgotten",
          ended.size());
      follow(ended);
    }
  }

  @Override
  public void heldBack(long untilMillis) {
    registry.keepRestored(untilMillis);
  }

  @Override
  public Future<Void> gone(UUID nodeId) {
    List<Future<Void>> gone = new ArrayList<>();
    for (Unmount unmount : unmounts.values()) {
      if (unmount.nodeId.equals(nodeId)) {
        gone.add(unmount.gone.future());
      }
    }
    return gone.isEmpty() ? Future.succeededFuture() : Future.all(gone).mapEmpty();
  }

  @Override
  public int countOf(UUID nodeId) {
    return registry.countOf(nodeId);
  }

  List<SegmentInfo> describe(DescribeSegments request) {
    if (request.generations().length == 0) {
      return registry.list();
    }
    List<SegmentInfo> found = new ArrayList<>(request.generations().length);
    for (long generation : request.generations()) {
      registry.find(generation).ifPresent(found::add);
    }
    return found;
  }

  @Override
  public void flip(List<UUID> segmentIds, SegmentEvent event) {
    List<SegmentChange> changes = new ArrayList<>(segmentIds.size());
    for (UUID id : segmentIds) {
      changes.addAll(registry.drain(id, event).changes());
    }
    follow(changes);
  }

  /** Hands changes to the metadata loops and starts the sweeps that they ask for. */
  private Future<Void> follow(List<SegmentChange> changes) {
    if (changes.isEmpty()) {
      return Future.succeededFuture();
    }
    directory.publish(registry.list());
    for (SegmentChange change : changes) {
      // In the journal before any loop may record floors for a disk that is not there.
      if (change instanceof SegmentChange.StatusChanged(int ignored, long generation, var status)
          && status == SegmentStatus.UNMOUNTING) {
        if (registry.disk(generation) != 0) {
          disks.absent(registry.disk(generation));
        }
        registry.find(generation).ifPresent(holder()::leaving);
      }
    }
    Future<Void> applied = metadata.apply(changes);
    for (SegmentChange change : changes) {
      if (change instanceof SegmentChange.StatusChanged(int slot, long generation, var status)
          && status == SegmentStatus.UNMOUNTING) {
        registry.find(generation).ifPresent(segment -> unmount(generation, segment.nodeId()));
        sweep(slot, generation);
      }
      events.publish(change, registry);
    }
    return applied;
  }

  private void sweep(int slot, long generation) {
    metadata
        .sweep(slot, generation)
        .onComplete(
            done -> {
              if (done.succeeded()) {
                finish(generation);
              } else {
                LOG.error(
                    "removing what is on segment mount {} failed; it is tried again",
                    generation,
                    done.cause());
                vertx.setTimer(SWEEP_RETRY_MILLIS, ignored -> sweep(slot, generation));
              }
            });
  }

  private void finish(long generation) {
    Optional<SegmentInfo> gone = registry.find(generation);
    List<SegmentChange> changes = registry.swept(generation);
    gone.ifPresent(events::unmounted);
    directory.publish(registry.list());
    metadata
        .apply(changes)
        .onSuccess(
            ignored -> {
              Unmount ended = unmounts.remove(generation);
              if (ended != null) {
                ended.gone.complete();
              }
            });
  }

  private void armGraceTimer() {
    if (graceTimer >= 0) {
      vertx.cancelTimer(graceTimer);
      graceTimer = -1;
    }
    registry
        .nextGraceEndMillis()
        .ifPresent(
            end ->
                graceTimer =
                    vertx.setTimer(
                        Math.max(1, end - clockMillis.getAsLong()), ignored -> endGrace()));
  }

  private void endGrace() {
    graceTimer = -1;
    follow(registry.endGrace(clockMillis.getAsLong()));
    armGraceTimer();
  }

  /** An unmount that goes on. */
  private record Unmount(UUID nodeId, Promise<Void> gone) {}
}
