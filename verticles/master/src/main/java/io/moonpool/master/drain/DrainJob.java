package io.moonpool.master.drain;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.master.metadata.LaneBatch;
import io.moonpool.master.metadata.LaneSpec;
import io.moonpool.master.metadata.LaneStatus;
import io.moonpool.master.metadata.LaneUnit;
import io.moonpool.master.metadata.UnitRef;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.JobStatus;
import io.moonpool.model.SegmentInfo;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A drain job: a state machine that is driven by what happens, and by nothing else. What happens
 * and what follows:
 *
 * <pre>
 *                          | CREATED  | PLANNING               | RUNNING
 * -------------------------+----------+------------------------+---------------------------------
 *  start                   | PLANNING |                        |
 *  a source mounted,       |          | RUNNING when all are   | (a source that returns, or a
 *    or its disk scanned   |          |   known                |   target: lanes open again)
 *  a unit ended, a lane    |          |                        | starts units for the free slots;
 *    changed, tokens back  |          |                        |   SUCCEEDED when nothing is left,
 *                          |          |                        |   FAILED when only failed ones are
 *  a source goes           |          | FAILED                 | FAILED if something was left on it
 *  deadline, stall         |          | FAILED                 | FAILED
 *  cancel                  | CANCELED | CANCELED               | CANCELED
 * </pre>
 *
 * <p>SUCCEEDED, FAILED and CANCELED are never left. Units that are under way when a job ends are
 * ended by their nodes or by their grants, and still counted.
 *
 * <p>Each lane is asked for units until it says that it has none that can be started now, and then
 * not again before it says that something changed. So a turn costs what it starts, however many
 * units wait.
 *
 * <p>Belongs to the control loop. It has no clock and no thread of its own, so that tests drive it.
 * Somewhat longer than others: what each event does depends on the same few fields, and what does
 * not is in {@link JobSources}, {@link LaneRing}, {@link UnitsUnderWay}, {@link UnitTries}, {@link
 * JobTimers} and {@link JobView}.
 */
final class DrainJob {
  private static final Logger LOG = LoggerFactory.getLogger(DrainJob.class);

  /** How long a metadata loop that refused a call is given. */
  private static final long REFUSED_MILLIS = 1_000;

  /** Most units that one lane is asked for at once. */
  private static final int MAX_TAKE = 64;

  private static final String RUNNING = "objects move away";
  private static final String LEASES = "waits for the last reader of what has moved";

  /** Failures of the way to the target: another try at once would take the same way. */
  private static final Set<ErrorCode> UNREACHABLE =
      Set.of(ErrorCode.TRANSFER_FAIL, ErrorCode.RPC_FAIL);

  private final UUID id;
  private final DrainRequest request;
  private final JobSources sources;
  private final List<UUID> targets;
  private final Lanes lanes;
  private final JobSurroundings around;
  private final DrainClock clock;
  private final JobFigures figures;
  private final JobFigures before = new JobFigures();

  private final UnitsUnderWay units;
  private final UnitTries tries = new UnitTries();
  private final JobTimers timers;
  private LaneRing ring = new LaneRing(0);
  private final ByteRate limit;
  private final JobView view;

  private JobStatus status = JobStatus.CREATED;
  private String message = "created";
  private final long deadlineAtMillis;
  private int requested;

  /** Questions to lanes that have not been answered, also to those of an earlier opening. */
  private int questions;

  private boolean open;
  private boolean opening;
  private boolean openAgain;

  /** Grows when lanes are opened: what older ones answer is of no use. */
  private int opened;

  private boolean counting;
  private boolean countAgain;

  /**
   * A job.
   *
   * @param sources memory and disks
   * @param targets ids; empty: all
   * @param stallMillis how long it may get nowhere
   * @param createdAtMillis by the wall clock
   * @param deadlineAtMillis by the wall clock; 0: none
   * @param figures what it has done before a restart
   */
  DrainJob(
      UUID id,
      DrainRequest request,
      List<JobInfo.Source> sources,
      List<UUID> targets,
      long stallMillis,
      long createdAtMillis,
      long deadlineAtMillis,
      JobFigures figures,
      Lanes lanes,
      JobSurroundings around,
      DrainClock clock) {
    this.id = id;
    this.request = request;
    this.sources = new JobSources(sources);
    this.targets = List.copyOf(targets);
    this.timers = new JobTimers(clock, stallMillis);
    // Several nodes cannot keep one concurrency by themselves, and a rate is kept here.
    this.units =
        new UnitsUnderWay(
            request.maxConcurrency(),
            this.sources.areOfOneNode() && request.maxBytesPerSecond() == 0);
    this.deadlineAtMillis = deadlineAtMillis;
    this.figures = figures;
    this.before.add(figures);
    this.lanes = lanes;
    this.around = around;
    this.clock = clock;
    this.limit = new ByteRate(request.maxBytesPerSecond(), clock.nowMillis());
    this.view = new JobView(id, request, targets, createdAtMillis, figures, clock);
  }

  // What people and the scheduler ask

  UUID id() {
    return id;
  }

  JobStatus status() {
    return status;
  }

  /** What it has done in this life of the master. */
  JobFigures figuresHere() {
    return figures.since(before);
  }

  List<JobInfo.Source> sources() {
    return sources.list();
  }

  boolean hasSource(UUID segmentId) {
    return sources.has(segmentId);
  }

  String message() {
    return message;
  }

  /** Units that are under way; what a node has beyond the concurrency is still to come. */
  int activeUnits() {
    return units.active();
  }

  int maxConcurrency() {
    return request.maxConcurrency();
  }

  /** True when nothing can change any more once it has ended. */
  boolean idle() {
    return units.isEmpty() && questions == 0;
  }

  /** The tasks of the units that are under way. */
  Set<UUID> activeTasks() {
    return units.tasks();
  }

  /** The job as it is now: asks its lanes what waits. */
  Future<JobInfo> look() {
    if (!open) {
      return Future.succeededFuture(info());
    }
    int attempt = opened;
    return lanes
        .status(id)
        .transform(
            done -> {
              if (done.succeeded() && open && attempt == opened) {
                view.counted(done.result());
              }
              return Future.succeededFuture(info());
            });
  }

  JobInfo info() {
    return view.info(status, message, sources.list(), activeUnits(), timers.delays(), tries);
  }

  // Its life

  /** Begins, or goes on after a restart. */
  void start() {
    timers.start(
        deadlineAtMillis,
        over -> end(JobStatus.FAILED, over + ": " + underWay() + Wording.what(message)));
    go(JobStatus.PLANNING, "waits until its segments are known");
    openLanes();
  }

  /** A source or a target was mounted, or a source was scanned. */
  void segmentsChanged(UUID segmentId) {
    boolean matters =
        open ? targets.contains(segmentId) : hasSource(segmentId) || !targets.isEmpty();
    if (matters && !status.terminal()) {
      openLanes();
    }
  }

  /** Somebody does not want it any more. */
  void cancel() {
    if (!status.terminal()) {
      end(JobStatus.CANCELED, "canceled");
    }
  }

  private void openLanes() {
    if (opening) {
      openAgain = true;
      return;
    }
    JobSources.Mounts from = sources.mounts(around);
    if (!from.waitsFor().isEmpty()) {
      say(from.waitsFor());
      return;
    }
    List<SegmentMount> to = new ArrayList<>();
    for (UUID target : targets) {
      SegmentMount mounted = around.mounted(target);
      if (mounted != null) {
        to.add(mounted);
      }
    }
    if (to.isEmpty() && !targets.isEmpty()) {
      say("waits until one of its target segments is mounted");
      return;
    }
    opening = true;
    openAgain = false;
    int attempt = ++opened;
    lanes
        .open(new LaneSpec(id, from.mounts(), to, around.grantMillis()))
        .onComplete(
            done -> {
              opening = false;
              if (status.terminal() || attempt != opened) {
                return;
              }
              if (done.failed()) {
                end(JobStatus.FAILED, "it cannot be started: " + done.cause().getMessage());
              } else if (openAgain) {
                openLanes();
              } else {
                run();
              }
            });
  }

  private void run() {
    open = true;
    timers.cancelDelays();
    ring = new LaneRing(lanes.count());
    requested = 0;
    go(JobStatus.RUNNING, RUNNING);
    count();
    pump();
  }

  private void go(JobStatus to, String why) {
    if (status == to && message.equals(why)) {
      return;
    }
    status = to;
    say(why);
  }

  private void say(String what) {
    message = what;
    changed();
  }

  private void changed() {
    view.touch();
    around.changed(this);
  }

  private void end(JobStatus how, String why) {
    if (status.terminal()) {
      return;
    }
    status = how;
    message = why;
    view.touch();
    open = false;
    timers.end();
    lanes.close(id);
    around.ended(this);
  }

  // Units

  /** Something that a lane waited for has happened. */
  void laneChanged(int lane) {
    if (open) {
      ring.changed(lane);
      pump();
    }
  }

  /** Asks the lanes that may have something, in turn, for as many units as there are free slots. */
  private void pump() {
    while (running() && units.free(requested) > 0 && mayStart()) {
      int ready = ring.ready();
      if (ready == 0) {
        break;
      }
      int lane = ring.ask();
      int share = Math.max(1, Math.ceilDiv(units.free(requested), ready));
      ask(lane, Math.min(share, MAX_TAKE));
    }
    if (running()) {
      checkCompletion();
    }
  }

  /** Its lanes can be asked: they are not being opened again. */
  private boolean running() {
    return open && !opening;
  }

  /** With a limit, one answer is waited for before the next question, as its bytes count. */
  private boolean mayStart() {
    if (request.maxBytesPerSecond() == 0) {
      return true;
    }
    if (requested > 0) {
      return false;
    }
    long waitMillis = limit.waitMillis(clock.nowMillis());
    if (waitMillis > 0) {
      timers.whenTokens(waitMillis, this::pump);
    }
    return waitMillis == 0;
  }

  private void ask(int lane, int wanted) {
    requested += wanted;
    questions++;
    int attempt = opened;
    lanes
        .take(lane, id, wanted, units.maxBytes(limit.available(clock.nowMillis())))
        .onComplete(
            done -> {
              if (done.succeeded()) {
                started(lane, attempt, done.result());
              }
              questions--;
              if (status.terminal()) {
                changed();
              }
              if (attempt != opened || !open) {
                return;
              }
              requested -= wanted;
              if (done.succeeded()) {
                took(lane, done.result());
              } else {
                ring.answered(lane, false);
                askLater(done.cause(), () -> ring.changed(lane));
              }
            });
  }

  /** A loop that is overloaded refuses calls: it is given time. */
  private void askLater(Throwable refused, Runnable again) {
    LOG.warn("drain job {}: a metadata loop refused a call: {}", id, refused.toString());
    timers.later(
        REFUSED_MILLIS,
        () -> {
          again.run();
          pump();
        });
  }

  private void took(int lane, LaneBatch batch) {
    ring.answered(lane, batch.more());
    if (!batch.started().isEmpty() && !message.equals(RUNNING)) {
      say(RUNNING);
    }
    pump();
  }

  /** Takes over what a lane did, whatever became of the job meanwhile. */
  private void started(int lane, int opening, LaneBatch batch) {
    batch.started().forEach(started -> activate(lane, opening, started));
    figures.droppedUnits += batch.droppedUnits();
    figures.undo(batch.undoneUnits(), batch.undoneBytes());
    if (batch.droppedUnits() > 0 || batch.rehomedUnits() > 0) {
      timers.progress();
      changed();
    }
  }

  private void activate(int lane, int opening, LaneUnit started) {
    if (status.terminal()) {
      lanes.revoke(started.transfer());
      return;
    }
    UnitsUnderWay.Unit unit = new UnitsUnderWay.Unit(lane, opening, started);
    limit.take(unit.bytes());
    units.add(unit);
    around.submit(this, started);
  }

  /**
   * The node of a unit has done its part: another one may start while the end of this one is being
   * made durable, so that the journal's latency is not added to each unit's.
   */
  void unitReturned(Task task) {
    if (units.returned(task.id)) {
      pump();
    }
  }

  /** The task of a unit has ended. */
  void unitEnded(Task task) {
    UnitsUnderWay.Unit ended = units.ended(task.id);
    if (ended == null) {
      return;
    }
    switch (task.code) {
      case OK -> {
        figures.succeededUnits++;
        figures.migratedBytes += ended.bytes();
        left(ended.ref());
      }
      case OBJECT_NOT_FOUND, INVALID_VERSION -> {
        figures.goneUnits++;
        left(ended.ref());
      }
      default -> failed(ended, task);
    }
    changed();
    if (open) {
      pump();
    }
  }

  /** A unit is not on its source any more. */
  private void left(UnitRef unit) {
    tries.ended(unit);
    timers.progress();
  }

  private void failed(UnitsUnderWay.Unit ended, Task task) {
    figures.failedAttempts++;
    if (!open) {
      if (sources.isLost(ended.ref().sourceGeneration())) {
        figures.lostUnits++;
      }
      return;
    }
    UnitRef unit = ended.ref();
    int failures = tries.failed(unit);
    long delayMillis = UNREACHABLE.contains(task.code) ? around.retryDelayMillis(failures) : 0;
    if (failures >= UnitTries.MAX) {
      figures.failedUnits++;
      tries.givenUp(unit, task);
      if (ended.opening() == opened) {
        lanes.fail(ended.lane(), id, unit);
      }
      timers.progress();
    } else if (delayMillis > 0 && ended.opening() == opened) {
      timers.later(
          delayMillis,
          () -> {
            again(ended);
            pump();
          });
    } else {
      again(ended);
    }
  }

  /** Has a unit tried again. Lanes that were opened after it started find it by themselves. */
  private void again(UnitsUnderWay.Unit failed) {
    if (open && failed.opening() == opened) {
      lanes.again(failed.lane(), id, failed.ref());
      ring.changed(failed.lane());
    }
  }

  // Its end

  /** When no lane has a unit to start and none is under way: is that the end? */
  private void checkCompletion() {
    if (units.isEmpty() && requested == 0 && timers.delays() == 0 && ring.ready() == 0) {
      count();
    }
  }

  /** Asks the lanes what is left. */
  private void count() {
    if (counting) {
      countAgain = true;
      return;
    }
    counting = true;
    countAgain = false;
    int attempt = opened;
    lanes
        .status(id)
        .onComplete(
            done -> {
              counting = false;
              if (!open || attempt != opened) {
                return;
              }
              if (done.failed()) {
                askLater(done.cause(), () -> {});
              } else if (countAgain) {
                count();
              } else {
                counted(done.result());
              }
            });
  }

  private void counted(LaneStatus now) {
    view.counted(now);
    if (!units.isEmpty() || requested > 0 || timers.delays() > 0 || ring.ready() > 0) {
      changed();
    } else if (now.isEmpty()) {
      end(JobStatus.SUCCEEDED, "nothing is left on its segments");
    } else if (now.replicas() == 0) {
      if (!message.equals(LEASES)) {
        timers.progress();
      }
      say(LEASES);
    } else if (now.exhausted()) {
      end(JobStatus.FAILED, Wording.failed(figures, tries, now));
    } else {
      say(Wording.waitsFor(now));
    }
  }

  private String underWay() {
    return units.isEmpty() ? "" : Wording.objects(activeUnits(), "is", "are") + " under way; ";
  }

  /** A source is about to be unmounted, with what is on it. */
  void leaving(SegmentInfo segment) {
    UUID segmentId = segment.spec().id();
    if (status.terminal() || !sources.has(segmentId)) {
      return;
    }
    if (!open) {
      end(
          JobStatus.FAILED,
          "segment " + segment.spec().name() + " went away before it was known what is on it");
    } else if (sources.leaves(segmentId, segment.generation())) {
      // All segments of a node go in one turn: one question sees all of them as they are.
      lanes.status(id).onComplete(done -> went(done.succeeded() ? done.result() : null));
    }
  }

  private void went(@Nullable LaneStatus now) {
    if (!open) {
      return;
    }
    if (now == null) {
      end(JobStatus.FAILED, sources.takeNames() + " went away; nobody knows what was on it");
      return;
    }
    view.counted(now);
    JobSources.Departure departure = sources.went(now, tries);
    if (departure.units() > 0) {
      // What is under way may have been written in time: it is counted when its task ends.
      long underWay = units.count(unit -> sources.isLost(unit.sourceGeneration()));
      figures.lostUnits += Math.max(0, departure.toLose() - underWay);
      end(
          JobStatus.FAILED,
          departure.names() + " went away with " + Wording.objects(departure.units()));
    } else if (departure.rehoming() > 0) {
      end(
          JobStatus.FAILED,
          departure.names()
              + " went away before "
              + Wording.objects(departure.rehoming())
              + (departure.rehoming() == 1 ? " that has moved was" : " that have moved were")
              + " on the disk of "
              + (departure.rehoming() == 1 ? "its" : "their")
              + " new home");
    } else if (sources.allDeparted()) {
      end(JobStatus.SUCCEEDED, "nothing was left on " + departure.names() + " when it went away");
    } else {
      openLanes();
    }
  }
}
