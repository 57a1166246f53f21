package io.moonpool.master.drain;

import io.moonpool.core.segment.SegmentEvent;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.core.segment.SegmentRegistry;
import io.moonpool.master.DrainConfig;
import io.moonpool.master.journal.JournalRecord;
import io.moonpool.master.metadata.LaneSpec;
import io.moonpool.master.metadata.LaneUnit;
import io.moonpool.master.metadata.StartedTransfer;
import io.moonpool.master.segment.SegmentFlips;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.JobStatus;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The drain jobs: made, driven, ended, remembered. Belongs to the control loop.
 *
 * <p>What happens is handed to the jobs that it concerns. A job that has ended stays here until the
 * last of its units that nodes had has ended, too.
 */
final class DrainScheduler implements JobSurroundings {
  private static final Logger LOG = LoggerFactory.getLogger(DrainScheduler.class);

  private final DrainConfig config;
  private final long activeTtlMillis;
  private final Lanes lanes;
  private final Tasks tasks;
  private final SegmentRegistry segments;
  private final SegmentFlips flips;
  private final Supplier<List<ClientInfo>> nodes;
  private final JobBook book;
  private final DrainEvents events;
  private final DrainClock clock;
  private final DrainCounts counts;
  private final Later turn;
  private boolean publishing;

  /** Jobs that are live, or have units under way. */
  private final Map<UUID, DrainJob> jobs = new LinkedHashMap<>();

  /**
   * A scheduler.
   *
   * @param activeTtlMillis how long it takes until a node that is dead is known to be
   * @param nodes the nodes that are registered
   */
  DrainScheduler(
      DrainConfig config,
      long activeTtlMillis,
      Lanes lanes,
      Tasks tasks,
      SegmentRegistry segments,
      SegmentFlips flips,
      Supplier<List<ClientInfo>> nodes,
      JobBook book,
      DrainEvents events,
      DrainClock clock,
      DrainCounts counts,
      Later turn) {
    this.config = config;
    this.activeTtlMillis = activeTtlMillis;
    this.lanes = lanes;
    this.tasks = tasks;
    this.segments = segments;
    this.flips = flips;
    this.nodes = nodes;
    this.book = book;
    this.events = events;
    this.clock = clock;
    this.counts = counts;
    this.turn = turn;
    tasks.table().whenCountsChange(this::countsChanged);
  }

  /** Goes on with the jobs of the journal. */
  void start() {
    for (JobInfo unfinished : book.unfinished()) {
      LOG.info(
          "drain job {} goes on: {} units were moved",
          unfinished.id(),
          unfinished.succeededUnits());
      begin(job(unfinished, new JobFigures(unfinished)));
    }
  }

  /** What it counts has changed, jobs or tasks: published at the end of what happens now. */
  void countsChanged() {
    if (!publishing) {
      publishing = true;
      turn.later(
          () -> {
            publishing = false;
            counts.publish(jobs.values(), tasks.table());
          });
    }
  }

  private DrainJob job(JobInfo info, JobFigures figures) {
    DrainRequest request = info.request();
    return new DrainJob(
        info.id(),
        request,
        info.sources(),
        info.targets(),
        request.stallTimeoutMillis() == 0
            ? config.stallTimeoutMillis()
            : request.stallTimeoutMillis(),
        info.createdAtMillis(),
        request.deadlineMillis() == 0 ? 0 : info.createdAtMillis() + request.deadlineMillis(),
        figures,
        lanes,
        this,
        clock);
  }

  private void begin(DrainJob job) {
    jobs.put(job.id(), job);
    job.start();
  }

  // What people ask

  Future<JobInfo> create(DrainRequest request) {
    DrainChoice choice = DrainChoice.of(request, known(), this::jobOf);
    long wallMillis = clock.wallMillis();
    JobInfo info =
        new JobInfo(
            UUID.randomUUID(),
            JobStatus.CREATED,
            request,
            choice.sources().stream().map(DrainChoice::source).toList(),
            ids(choice.targets()),
            wallMillis,
            wallMillis,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            List.of(),
            "created");
    DrainJob job = job(info, new JobFigures());
    // Known from now on, so that no other job takes the same segments meanwhile.
    jobs.put(job.id(), job);
    List<UUID> toFlip = new ArrayList<>();
    for (SegmentInfo source : choice.sources()) {
      if (source.status() == SegmentStatus.OK) {
        toFlip.add(source.spec().id());
      }
    }
    flips.flip(toFlip, SegmentEvent.DRAIN);
    Future<Void> durable = book.begin(info);
    Promise<JobInfo> created = Promise.promise();
    whenDurable(
        durable,
        failure -> {
          if (failure == null) {
            LOG.info("drain job {} empties {}", job.id(), names(info.sources()));
            events.changed(job.id(), JobStatus.CREATED, job::info);
            if (!job.status().terminal()) {
              job.start();
            }
            created.complete(job.info());
          } else {
            jobs.remove(job.id());
            book.forget(info);
            flips.flip(toFlip, SegmentEvent.RESUME);
            created.fail(failure);
          }
        });
    return created.future();
  }

  private interface Durable {
    void known(@Nullable Throwable failure);
  }

  private void whenDurable(Future<Void> durable, Durable then) {
    if (durable.succeeded()) {
      then.known(null);
      return;
    }
    durable.onComplete(done -> turn.later(() -> then.known(done.cause())));
  }

  private static String names(List<JobInfo.Source> sources) {
    return String.join(", ", sources.stream().map(JobInfo.Source::name).toList());
  }

  NamedSegments known() {
    return new NamedSegments(segments.list(), nodes.get());
  }

  private static List<UUID> ids(List<SegmentInfo> of) {
    return of.stream().map(segment -> segment.spec().id()).toList();
  }

  /** The live job that empties a segment. */
  private @Nullable UUID jobOf(UUID segmentId) {
    for (DrainJob job : jobs.values()) {
      if (!job.status().terminal() && job.hasSource(segmentId)) {
        return job.id();
      }
    }
    return null;
  }

  Future<DrainPlan> plan(DrainRequest request) {
    DrainChoice choice = DrainChoice.of(request, known(), this::jobOf);
    List<SegmentMount> from = new ArrayList<>();
    for (SegmentInfo source : choice.sources()) {
      from.add(segments.mountOf(source.generation()));
    }
    Set<UUID> sources = new LinkedHashSet<>(ids(choice.sources()));
    Map<Long, SegmentInfo> targets = new LinkedHashMap<>();
    List<SegmentMount> to = new ArrayList<>();
    for (SegmentInfo target :
        request.targetSegments().isEmpty() ? segments.list() : choice.targets()) {
      if (target.spec().kind() == SegmentKind.MEMORY
          && target.status() == SegmentStatus.OK
          && !sources.contains(target.spec().id())) {
        to.add(segments.mountOf(target.generation()));
        targets.put(target.generation(), target);
      }
    }
    return lanes
        .plan(new LaneSpec(UUID.randomUUID(), from, to, grantMillis()))
        .map(plan -> DrainPlan.of(choice, targets, plan));
  }

  Future<JobInfo> look(UUID id) {
    DrainJob job = jobs.get(id);
    return job == null ? Future.succeededFuture(ended(id)) : job.look();
  }

  private JobInfo ended(UUID id) {
    JobInfo ended = book.ended(id);
    if (ended == null) {
      throw new StoreException(ErrorCode.JOB_NOT_FOUND);
    }
    return ended;
  }

  List<JobInfo> list() {
    List<JobInfo> all = new ArrayList<>();
    for (JobInfo ended : book.ended()) {
      if (!jobs.containsKey(ended.id())) {
        all.add(ended);
      }
    }
    jobs.values().forEach(job -> all.add(job.info()));
    all.sort(Comparator.comparingLong(JobInfo::createdAtMillis).reversed());
    return all;
  }

  JobInfo cancel(UUID id) {
    DrainJob job = jobs.get(id);
    if (job == null || job.status().terminal()) {
      JobInfo ended = job == null ? ended(id) : job.info();
      throw new StoreException(
          ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
          "job " + id + " is " + ended.status() + " already: nothing is left to cancel");
    }
    job.cancel();
    return job.info();
  }

  List<JobInfo.Source> undrain(String node, List<String> names) {
    Map<UUID, JobInfo.Source> chosen = new UndrainChoice(known(), book.held()).of(node, names);
    for (JobInfo.Source segment : chosen.values()) {
      UUID job = jobOf(segment.segmentId());
      if (job != null) {
        throw new StoreException(
            ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
            "segment " + segment.name() + " is being drained by job " + job + ": cancel that");
      }
    }
    List<UUID> ids = List.copyOf(chosen.keySet());
    book.release(ids);
    flips.flip(ids, SegmentEvent.RESUME);
    return List.copyOf(chosen.values());
  }

  DrainWatch watch(UUID id, DrainListener listener) {
    DrainJob job = jobs.get(id);
    return events.watch(job == null ? ended(id) : job.info(), listener);
  }

  // What metadata loops and segments tell

  void laneChanged(int lane, UUID id) {
    DrainJob job = jobs.get(id);
    if (job != null) {
      job.laneChanged(lane);
    }
  }

  /** Whether a segment that is being mounted is to be emptied. */
  boolean holds(UUID segmentId) {
    return book.holds(segmentId);
  }

  /** A segment is mounted, or a disk is known completely. */
  void segmentsChanged(SegmentInfo segment) {
    UUID id = segment.spec().id();
    for (DrainJob job : List.copyOf(jobs.values())) {
      job.segmentsChanged(id);
    }
    if (isEmptied(id) && segments.isScanned(segment.generation())) {
      confirmEmpty(segment);
    }
  }

  /**
   * A segment that a job has emptied is mounted at a master that was started since: it is DRAINED
   * again once the metadata loops say that nothing is on it.
   */
  private void confirmEmpty(SegmentInfo segment) {
    UUID id = segment.spec().id();
    SegmentMount mount = segments.mountOf(segment.generation());
    lanes
        .plan(new LaneSpec(UUID.randomUUID(), List.of(mount), List.of(), grantMillis()))
        .onComplete(
            looked -> {
              if (looked.failed()) {
                LOG.warn("nobody knows whether {} is empty", segment.spec().name(), looked.cause());
              } else if (looked.result().units() + looked.result().dropped() > 0) {
                LOG.warn("{} was emptied and is not empty: drain it again", segment.spec().name());
              } else if (isEmptied(id) && mount.equals(mounted(id))) {
                flips.flip(List.of(id), SegmentEvent.EMPTIED);
              }
            });
  }

  /** Whether a segment is held since a job has emptied it, and no other one is live. */
  private boolean isEmptied(UUID segmentId) {
    return emptied(segmentId) && jobOf(segmentId) == null;
  }

  /** A segment is about to go, with what is on it. */
  void leaving(SegmentInfo segment) {
    UUID id = segment.spec().id();
    boolean live = jobOf(id) != null;
    for (DrainJob job : List.copyOf(jobs.values())) {
      job.leaving(segment);
    }
    if (!live && segment.status() == SegmentStatus.UNMOUNTING && emptied(id)) {
      // It was emptied and goes: when it comes again, it is as good as a new one.
      book.release(List.of(id));
    }
  }

  /** Whether the job that held a segment last has emptied it. */
  private boolean emptied(UUID segmentId) {
    JournalRecord.SegmentHeld held = book.held(segmentId);
    JobInfo job = held == null ? null : book.ended(held.job());
    return job != null && job.status() == JobStatus.SUCCEEDED;
  }

  // What jobs need

  @Override
  public void submit(DrainJob job, LaneUnit started) {
    StartedTransfer transfer = started.transfer();
    SegmentInfo source = segments.find(transfer.source().generation()).orElse(null);
    List<UUID> to = new ArrayList<>();
    transfer
        .targets()
        .forEach(
            target ->
                segments
                    .find(target.generation())
                    .ifPresent(segment -> to.add(segment.spec().id())));
    Task task =
        tasks.ofJob(
            job.id(), transfer, source == null ? null : source.spec().id(), to, job::unitEnded);
    task.atOnce = job.maxConcurrency();
    task.whenReturned(job::unitReturned);
    tasks.started(task, transfer, source == null ? null : source.nodeId());
  }

  @Override
  public void changed(DrainJob job) {
    countsChanged();
    if (job.status().terminal()) {
      // A unit that was under way has ended.
      book.end(job.info());
      close(job);
      return;
    }
    events.changed(job.id(), job.status(), job::info);
    book.progress(job.id(), job::info, clock.nowMillis());
  }

  @Override
  public void ended(DrainJob job) {
    LOG.info("drain job {} is {}: {}", job.id(), job.status(), job.message());
    counts.ended(job.status());
    countsChanged();
    List<UUID> sources = job.sources().stream().map(JobInfo.Source::segmentId).toList();
    switch (job.status()) {
      case SUCCEEDED -> flips.flip(sources, SegmentEvent.EMPTIED);
      case CANCELED -> {
        book.release(sources);
        flips.flip(sources, SegmentEvent.RESUME);
      }
      case FAILED, CREATED, PLANNING, RUNNING -> {}
    }
    for (UUID id : job.activeTasks()) {
      Task task = tasks.table().find(id);
      if (task != null && task.status == TaskStatus.PENDING) {
        tasks.giveUp(task, ErrorCode.TRANSFER_FAIL, "the job has ended");
      }
    }
    book.end(job.info());
    events.changed(job.id(), job.status(), job::info);
    close(job);
  }

  /** Lets a job go that has ended and has nothing under way. */
  private void close(DrainJob job) {
    if (job.idle() && jobs.remove(job.id()) != null) {
      counts.closed(job.figuresHere());
    }
  }

  @Override
  public @Nullable SegmentMount mounted(UUID segmentId) {
    return segments
        .findById(segmentId)
        .filter(segment -> segment.status() != SegmentStatus.UNMOUNTING)
        .map(segment -> segments.mountOf(segment.generation()))
        .orElse(null);
  }

  @Override
  public boolean scanned(SegmentMount segment) {
    return segments.isScanned(segment.generation());
  }

  @Override
  public long grantMillis() {
    return tasks.grantMillis();
  }

  @Override
  public long retryDelayMillis(int failedAttempts) {
    return failedAttempts <= 1
        ? config.retryDelayMillis()
        : config.retryDelayMillis() == 0 ? 0 : activeTtlMillis + config.retryDelayMillis();
  }
}
