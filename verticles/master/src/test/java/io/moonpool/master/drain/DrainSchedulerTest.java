package io.moonpool.master.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.core.segment.SegmentEvent;
import io.moonpool.master.journal.JournalRecord;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.JobStatus;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.ReplicaTask;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What may be drained, what is remembered of it, and how segments follow. */
class DrainSchedulerTest {
  private final DrainFixture drain = new DrainFixture();
  private final FakeLanes lanes = drain.lanes;

  private static DrainRequest request(List<String> segments, List<String> targets) {
    return new DrainRequest("", segments, targets, 4, 0, 0, 0);
  }

  private static void refused(ThrowingCallable call, ErrorCode code, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.code()).isEqualTo(code))
        .satisfies(e -> List.of(words).forEach(word -> assertThat(e).hasMessageContaining(word)));
  }

  private UUID twoNodes() {
    UUID node = drain.node(1);
    drain.memory(node, "a1");
    drain.memory(node, "a2");
    drain.disk(node, "a-disk", true);
    UUID other = drain.node(2);
    drain.memory(other, "b1");
    drain.disk(other, "b-disk", true);
    return node;
  }

  private List<String> sources(UUID job) {
    return drain.job(job).sources().stream().map(JobInfo.Source::name).toList();
  }

  // Which segments

  @Test
  void aNodeIsAllItsSegmentsMemoryFirst() {
    UUID node = twoNodes();
    for (String name : List.of(node.toString(), "10.0.0.1:9300", "host-1")) {
      UUID job = drain.drain(DrainRequest.ofNode(name));
      assertThat(sources(job)).containsExactly("a1", "a2", "a-disk");
      assertThat(lanes.opened.getLast().sources())
          .extracting("generation")
          .containsExactly(
              drain.segment("a1").generation(),
              drain.segment("a2").generation(),
              drain.segment("a-disk").generation());
      assertThat(drain.status("a-disk")).isEqualTo(SegmentStatus.DRAINED);
    }
    assertThat(drain.status("b1")).isEqualTo(SegmentStatus.OK);
  }

  @Test
  void theDiskGoesWithTheLastMemorySegment() {
    twoNodes();
    UUID first = drain.drain(DrainRequest.ofSegments("a1"));
    assertThat(sources(first)).containsExactly("a1");
    assertThat(drain.status("a-disk")).isEqualTo(SegmentStatus.OK);
    UUID last = drain.drain(DrainRequest.ofSegments("a2"));
    assertThat(sources(last)).containsExactly("a2", "a-disk");
    assertThat(drain.status("a-disk")).isEqualTo(SegmentStatus.DRAINED);
  }

  @Test
  void theDiskGoesWithMemoryThatIsStillBeingDrained() {
    twoNodes();
    lanes.block(0, "x", drain.segment("a1").generation());
    drain.drain(DrainRequest.ofSegments("a1"));
    assertThat(drain.status("a1")).isEqualTo(SegmentStatus.DRAINING);
    UUID last = drain.drain(DrainRequest.ofSegments("a2"));
    assertThat(sources(last)).containsExactly("a2", "a-disk");
  }

  @Test
  void aDiskCanBeNamed() {
    twoNodes();
    UUID job = drain.drain(DrainRequest.ofSegments(drain.segment("a-disk").spec().id().toString()));
    assertThat(sources(job)).containsExactly("a-disk");
    assertThat(drain.status("a1")).isEqualTo(SegmentStatus.OK);
  }

  @Test
  void wrongRequestsChangeNothing() {
    twoNodes();
    refused(() -> request(List.of(), List.of()), ErrorCode.INVALID_PARAMS, "node or segments");
    refused(
        () -> new DrainRequest("n", List.of("a1"), List.of(), 4, 0, 0, 0),
        ErrorCode.INVALID_PARAMS,
        "either");
    refused(
        () -> new DrainRequest("n", List.of(), List.of(), 0, 0, 0, 0),
        ErrorCode.INVALID_PARAMS,
        "max_concurrency");
    refused(
        () -> new DrainRequest("n", List.of(), List.of(), 1025, 0, 0, 0),
        ErrorCode.INVALID_PARAMS,
        "1024");
    refused(
        () -> new DrainRequest("n", List.of(), List.of(), 4, -1, 0, 0), ErrorCode.INVALID_PARAMS);
    refused(
        () -> drain.drain(DrainRequest.ofSegments("a1", "a1")), ErrorCode.INVALID_PARAMS, "twice");
    refused(
        () -> drain.drain(DrainRequest.ofSegments("a1", "none")),
        ErrorCode.SEGMENT_NOT_FOUND,
        "none");
    refused(() -> drain.drain(DrainRequest.ofNode("none")), ErrorCode.CLIENT_NOT_FOUND, "none");
    refused(
        () -> drain.drain(request(List.of("a1"), List.of("b1", "a1"))),
        ErrorCode.INVALID_PARAMS,
        "both");
    refused(
        () -> drain.drain(request(List.of("a1"), List.of("b-disk"))),
        ErrorCode.INVALID_PARAMS,
        "disk");
    refused(
        () -> drain.drain(request(List.of("a1"), List.of("none"))), ErrorCode.SEGMENT_NOT_FOUND);
    drain.registry.unmountLater(
        drain.segment("b1").nodeId(), drain.segment("b1").spec().id(), 60_000, 0);
    refused(
        () -> drain.drain(request(List.of("a1"), List.of("b1"))),
        ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
        "b1");
    refused(
        () -> drain.drain(DrainRequest.ofSegments("b1")),
        ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
        "b1");
    assertThat(drain.status("a1")).isEqualTo(SegmentStatus.OK);
    assertThat(drain.scheduler.list()).isEmpty();
    assertThat(drain.journal.all).isEmpty();
    assertThat(drain.scheduler.holds(drain.segment("a1").spec().id())).isFalse();
  }

  @Test
  void aNodeWithoutSegmentsHasNothingToDrain() {
    drain.node(5);
    refused(
        () -> drain.drain(DrainRequest.ofNode("host-5")), ErrorCode.SEGMENT_NOT_FOUND, "host-5");
  }

  @Test
  void aNameThatSeveralHaveIsAskedFor() {
    UUID node = drain.node(1);
    drain.memory(node, "a");
    drain.registry.mount(
        node,
        io.moonpool.model.ClientState.ACTIVE,
        List.of(
            io.moonpool.model.SegmentSpec.memory(UUID.randomUUID(), "a", 1 << 20, "", List.of())));
    refused(
        () -> drain.drain(DrainRequest.ofSegments("a")), ErrorCode.INVALID_PARAMS, "2 segments");
  }

  // One job a segment

  @Test
  void aSegmentIsInOneLiveJobOnly() {
    twoNodes();
    lanes.block(0, "x", drain.segment("a1").generation());
    UUID first = drain.drain(DrainRequest.ofSegments("a1"));
    refused(
        () -> drain.drain(DrainRequest.ofSegments("a1")),
        ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
        "a1",
        first.toString());
    refused(
        () -> drain.scheduler.undrain("", List.of("a1")),
        ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
        first.toString());
    drain.clock.advance(600_000);
    assertThat(drain.job(first).status()).isEqualTo(JobStatus.FAILED);
    assertThat(drain.status("a1")).isEqualTo(SegmentStatus.DRAINING);
    lanes.unblock(0, "x");
    UUID second = drain.drain(DrainRequest.ofSegments("a1"));
    drain.work(drain.segment("a1").nodeId());
    assertThat(drain.job(second).status())
        .as("a draining segment that no live job holds is accepted")
        .isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void twoJobsRunAtOnce() {
    UUID node = twoNodes();
    long one = drain.segment("a1").generation();
    for (int i = 0; i < 6; i++) {
      lanes.add(i % 2, "key-" + i, one);
    }
    UUID first = drain.drain(DrainRequest.ofSegments("a1"));
    UUID second = drain.drain(DrainRequest.ofSegments("a2"));
    drain.work(node);
    assertThat(drain.job(first).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(drain.job(second).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(drain.job(first).succeededUnits() + drain.job(second).succeededUnits()).isEqualTo(6);
  }

  // Undrain

  @Test
  void undrainPutsSegmentsBackIntoUse() {
    UUID node = twoNodes();
    UUID job = drain.drain(DrainRequest.ofNode(node.toString()));
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(drain.scheduler.undrain("", List.of("a1")))
        .extracting(JobInfo.Source::name)
        .containsExactly("a1");
    assertThat(drain.status("a1")).isEqualTo(SegmentStatus.OK);
    assertThat(drain.status("a2")).isEqualTo(SegmentStatus.DRAINED);
    assertThat(drain.scheduler.undrain(node.toString(), List.of()))
        .extracting(JobInfo.Source::name)
        .containsExactly("a2", "a-disk");
    assertThat(drain.status("a-disk")).isEqualTo(SegmentStatus.OK);
    assertThat(drain.scheduler.undrain(node.toString(), List.of())).isEmpty();
    assertThat(drain.scheduler.holds(drain.segment("a2").spec().id())).isFalse();
    refused(() -> drain.scheduler.undrain("", List.of("none")), ErrorCode.SEGMENT_NOT_FOUND);
    refused(() -> drain.scheduler.undrain("none", List.of()), ErrorCode.CLIENT_NOT_FOUND);
    refused(() -> drain.scheduler.undrain("", List.of()), ErrorCode.INVALID_PARAMS);
    refused(() -> drain.scheduler.undrain("n", List.of("a")), ErrorCode.INVALID_PARAMS);
  }

  @Test
  void cancelNeedsALiveJob() {
    twoNodes();
    UUID job = drain.drain(DrainRequest.ofSegments("a1"));
    refused(
        () -> drain.scheduler.cancel(job), ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, "SUCCEEDED");
    refused(() -> drain.scheduler.cancel(UUID.randomUUID()), ErrorCode.JOB_NOT_FOUND);
    refused(() -> drain.scheduler.look(UUID.randomUUID()), ErrorCode.JOB_NOT_FOUND);
  }

  // Disks that are not known yet

  @Test
  void nothingIsDrainedBeforeItsDiskIsKnown() {
    UUID node = drain.node(1);
    drain.memory(node, "a");
    drain.disk(node, "disk", false);
    UUID job = drain.drain(DrainRequest.ofNode(node.toString()));
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.PLANNING);
    assertThat(drain.job(job).message()).contains("disk");
    assertThat(lanes.opened).isEmpty();
    drain.scan("disk");
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(lanes.opened).hasSize(1);
  }

  @Test
  void aDiskThatIsNeverKnownEndsTheJob() {
    UUID node = drain.node(1);
    drain.disk(node, "disk", false);
    UUID job = drain.drain(DrainRequest.ofSegments("disk"));
    drain.clock.advance(600_000);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.FAILED);
    assertThat(drain.job(job).message()).contains("nothing moved", "disk");
  }

  // Targets

  @Test
  void namedTargetsAreHandedToTheLanes() {
    twoNodes();
    drain.drain(request(List.of("a1"), List.of("b1")));
    assertThat(lanes.opened.getFirst().targets())
        .extracting("generation")
        .containsExactly(drain.segment("b1").generation());
    drain.drain(DrainRequest.ofSegments("a2"));
    assertThat(lanes.opened.getLast().targets()).as("all").isEmpty();
  }

  @Test
  void aTargetThatComesLaterIsUsedToo() {
    UUID node = drain.node(1);
    long a = drain.memory(node, "a");
    UUID other = drain.node(2);
    drain.memory(other, "b");
    drain.memory(other, "c");
    for (int i = 0; i < 8; i++) {
      lanes.add(i % 2, "key-" + i, a);
    }
    UUID job = drain.drain(request(List.of("a"), List.of("b", "c")));
    drain.offline(other);
    drain.node(2);
    lanes.holdOpens = true;
    long b = drain.memory(other, "b");
    int takes = lanes.takes;
    drain.laneChanged(0, job);
    assertThat(lanes.takes).as("not while they are being opened").isEqualTo(takes);
    assertThat(lanes.opened.getLast().targets()).extracting("generation").containsExactly(b);
    long c = drain.memory(other, "c");
    lanes.reset();
    lanes.releaseOpens();
    assertThat(lanes.opened.getLast().targets()).extracting("generation").containsExactly(b, c);
    drain.work(node);
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.activeUnits()).isZero();
    assertThat(end.failedUnits()).isZero();
  }

  // The journal

  @Test
  void aJobThatCannotBeRememberedIsNotStarted() {
    twoNodes();
    drain.journal.fails = true;
    var created = drain.scheduler.create(DrainRequest.ofSegments("a1"));
    drain.clock.settle();
    assertThat(StoreException.codeOf(created.cause())).isEqualTo(ErrorCode.PERSISTENT_FAIL);
    assertThat(drain.status("a1")).isEqualTo(SegmentStatus.OK);
    assertThat(drain.scheduler.list()).isEmpty();
    assertThat(lanes.opened).isEmpty();
    drain.journal.fails = false;
    drain.drain(DrainRequest.ofSegments("a1"));
    drain.restart();
    assertThat(drain.scheduler.list()).as("the first is not remembered either").hasSize(1);
  }

  @Test
  void aJobGoesOnAfterARestartOfTheMaster() {
    UUID node = drain.node(1);
    long before = drain.memory(node, "a");
    for (int i = 0; i < 10; i++) {
      lanes.add(i % 2, "key-" + i, before);
    }
    UUID job = drain.drain(DrainRequest.ofSegments("a"));
    drain.clock.advance(5_000);
    for (int i = 0; i < 3; i++) {
      drain.settle(node, drain.take(node, 1).getFirst().taskId(), ErrorCode.OK);
      drain.clock.advance(5_000);
    }
    drain.restart();
    JobInfo restored = drain.job(job);
    assertThat(restored.status()).isEqualTo(JobStatus.PLANNING);
    assertThat(restored.succeededUnits()).isEqualTo(3);
    assertThat(restored.message()).contains("a is mounted");
    lanes.remounted(before, drain.nextGeneration());
    assertThat(drain.memory(node, "a")).isNotEqualTo(before);
    assertThat(drain.status("a")).as("it takes nothing new").isEqualTo(SegmentStatus.DRAINING);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.RUNNING);
    drain.work(node);
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.succeededUnits()).isEqualTo(10);
    assertThat(end.migratedBytes()).isEqualTo(10 * FakeLanes.SIZE);
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINED);
  }

  @Test
  void aSourceThatDoesNotComeBackEndsTheJob() {
    UUID node = drain.node(1);
    lanes.block(0, "x", drain.memory(node, "a"));
    UUID job = drain.drain(DrainRequest.ofSegments("a"));
    drain.restart();
    drain.clock.advance(600_000);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.FAILED);
    assertThat(drain.job(job).message()).contains("a is mounted");
  }

  @Test
  void aDeadlineHoldsAcrossARestart() {
    UUID node = drain.node(1);
    lanes.block(0, "x", drain.memory(node, "a"));
    UUID job = drain.drain(new DrainRequest("", List.of("a"), List.of(), 4, 0, 60_000, 0));
    drain.clock.advance(40_000);
    drain.restart();
    lanes.block(0, "y", drain.nextGeneration());
    drain.memory(node, "a");
    drain.clock.advance(19_999);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.RUNNING);
    drain.clock.advance(1);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.FAILED);
  }

  @Test
  void whatAJobFailedToEmptyComesUpDrainingUntilItIsUndrained() {
    UUID node = drain.node(1);
    lanes.block(0, "x", drain.memory(node, "a"));
    UUID job = drain.drain(DrainRequest.ofSegments("a"));
    drain.clock.advance(600_000);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.FAILED);
    drain.offline(node);
    drain.memory(node, "a");
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINING);
    drain.restart();
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.FAILED);
    assertThat(drain.scheduler.undrain("", List.of("a")))
        .as("also while it is not mounted")
        .hasSize(1);
    drain.memory(node, "a");
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.OK);
  }

  @Test
  void anAbsentNodeCanBeUndrainedById() {
    UUID node = drain.node(1);
    lanes.block(0, "x", drain.memory(node, "a"));
    drain.drain(DrainRequest.ofSegments("a"));
    drain.clock.advance(600_000);
    drain.restart();
    drain.nodes.clear();
    assertThat(drain.scheduler.undrain(node.toString(), List.of())).hasSize(1);
    drain.memory(node, "a");
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.OK);
  }

  @Test
  void aDiskThatWasEmptiedIsDrainedAgainWhenItIsKnownToBeEmpty() {
    UUID node = drain.node(1);
    drain.memory(node, "a");
    drain.disk(node, "a-disk", true);
    drain.drain(DrainRequest.ofNode(node.toString()));
    drain.restart();
    drain.memory(node, "a");
    drain.disk(node, "a-disk", false);
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINED);
    assertThat(drain.status("a-disk")).isEqualTo(SegmentStatus.DRAINING);
    drain.scan("a-disk");
    assertThat(drain.status("a-disk")).isEqualTo(SegmentStatus.DRAINED);
  }

  @Test
  void whatIsNotEmptyAfterAllIsNotDrained() {
    UUID node = drain.node(1);
    drain.memory(node, "a");
    drain.drain(DrainRequest.ofSegments("a"));
    drain.restart();
    lanes.add(0, "somehow", drain.nextGeneration());
    drain.memory(node, "a");
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINING);
  }

  @Test
  void whatWasEmptiedAndWentIsAsGoodAsNew() {
    UUID node = drain.node(1);
    drain.memory(node, "a");
    drain.drain(DrainRequest.ofSegments("a"));
    drain.restart();
    drain.memory(node, "a");
    assertThat(drain.status("a"))
        .as("the node has run on, and is to be stopped")
        .isEqualTo(SegmentStatus.DRAINED);
    drain.offline(node);
    drain.memory(node, "a");
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.OK);
  }

  @Test
  void cancelReleasesForGood() {
    UUID node = drain.node(1);
    lanes.block(0, "x", drain.memory(node, "a"));
    UUID job = drain.drain(DrainRequest.ofSegments("a"));
    drain.scheduler.cancel(job);
    drain.restart();
    drain.memory(node, "a");
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.OK);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.CANCELED);
  }

  @Test
  void theLastThousandEndedJobsAreRemembered() {
    UUID node = drain.node(1);
    drain.memory(node, "a");
    UUID first = drain.drain(DrainRequest.ofSegments("a"));
    for (int i = 0; i < 1_000; i++) {
      drain.clock.advance(1);
      drain.drain(DrainRequest.ofSegments("a"));
    }
    assertThat(drain.scheduler.list()).hasSize(1_000);
    refused(() -> drain.scheduler.look(first), ErrorCode.JOB_NOT_FOUND);
    drain.restart();
    assertThat(drain.scheduler.list()).hasSize(1_000);
    List<Long> times = drain.scheduler.list().stream().map(JobInfo::createdAtMillis).toList();
    assertThat(times).as("the newest first").isSortedAccordingTo((x, y) -> Long.compare(y, x));
  }

  @Test
  void figuresOfAJobThatRunsAreWrittenNowAndThen() {
    UUID node = drain.node(1);
    long a = drain.memory(node, "a");
    for (int i = 0; i < 200; i++) {
      lanes.add(0, "key-" + i, a);
    }
    drain.drain(DrainRequest.ofSegments("a"));
    for (int i = 0; i < 200; i++) {
      ReplicaTask task = drain.take(node, 1).getFirst();
      drain.settle(node, task.taskId(), ErrorCode.OK);
      drain.clock.advance(100);
    }
    long written =
        drain.journal.all.stream().filter(JournalRecord.DrainJobKept.class::isInstance).count();
    assertThat(written).as("20 s").isBetween(6L, 12L);
  }

  // Plans and watchers

  @Test
  void aPlanChangesNothing() {
    UUID node = drain.node(1);
    long a = drain.memory(node, "a");
    drain.memory(drain.node(2), "b");
    lanes.add(0, "key", a);
    DrainPlan plan = drain.scheduler.plan(DrainRequest.ofSegments("a")).result();
    assertThat(plan.units()).isEqualTo(1);
    assertThat(plan.bytes()).isEqualTo(FakeLanes.SIZE);
    assertThat(plan.sources()).extracting(JobInfo.Source::name).containsExactly("a");
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.OK);
    assertThat(drain.journal.all).isEmpty();
    assertThat(drain.scheduler.list()).isEmpty();
  }

  @Test
  void aWatcherHearsTheJobToItsEnd() {
    UUID node = drain.node(1);
    long a = drain.memory(node, "a");
    lanes.add(0, "key", a);
    UUID job = drain.drain(DrainRequest.ofSegments("a"));
    List<String> heard = new java.util.ArrayList<>();
    List<String> stopped = new java.util.ArrayList<>();
    drain.scheduler.watch(job, event -> heard.add(event.event()));
    DrainWatch watch = drain.scheduler.watch(job, event -> stopped.add(event.event()));
    watch.stop();
    drain.clock.advance(1_000);
    drain.work(node);
    assertThat(heard).startsWith("running").endsWith("succeeded");
    assertThat(stopped).containsExactly("running");
    List<String> late = new java.util.ArrayList<>();
    drain.scheduler.watch(job, event -> late.add(event.event()));
    assertThat(late).containsExactly("succeeded");
    refused(() -> drain.scheduler.watch(UUID.randomUUID(), event -> {}), ErrorCode.JOB_NOT_FOUND);
  }

  @Test
  void countsAddUpWhatJobsDid() {
    UUID node = drain.node(1);
    long a = drain.memory(node, "a");
    for (int i = 0; i < 5; i++) {
      lanes.add(0, "key-" + i, a);
    }
    drain.drain(DrainRequest.ofSegments("a"));
    assertThat(drain.counts.figures().liveJobs()).isEqualTo(1);
    assertThat(drain.counts.figures().activeUnits()).isEqualTo(4);
    assertThat(drain.counts.figures().pendingTasks()).isEqualTo(5);
    drain.workFailing(node, "key-2", ErrorCode.FILE_READ_FAIL);
    DrainCounts.Figures figures = drain.counts.figures();
    assertThat(figures.liveJobs()).isZero();
    assertThat(figures.failedJobs()).isEqualTo(1);
    assertThat(figures.succeededUnits()).isEqualTo(4);
    assertThat(figures.failedUnits()).isEqualTo(1);
    assertThat(figures.failedAttempts()).isEqualTo(3);
    assertThat(figures.migratedBytes()).isEqualTo(4 * FakeLanes.SIZE);
    assertThat(figures.succeededTasks()).isEqualTo(4);
    assertThat(figures.failedTasks()).isEqualTo(3);
    assertThat(figures.pendingTasks() + figures.processingTasks() + figures.activeUnits()).isZero();
    drain.registry.drain(drain.segment("a").spec().id(), SegmentEvent.RESUME);
    drain.restart();
    assertThat(drain.counts.figures()).as("of this life").isEqualTo(DrainCounts.Figures.NONE);
  }

  @Test
  void figuresFollowTasksByHandToo() {
    UUID node = drain.node(1);
    drain.memory(node, "a");
    drain.memory(drain.node(2), "b");
    drain.byHand.move(new MoveRequest("", "one", "a", "b"));
    drain.byHand.move(new MoveRequest("", "two", "a", "b"));
    assertTasks(2, 0, 0, 0);
    UUID one = drain.take(node, 1).getFirst().taskId();
    assertTasks(1, 1, 0, 0);
    drain.settle(node, one, ErrorCode.OK);
    assertTasks(1, 0, 1, 0);
    drain.settle(node, drain.take(node, 1).getFirst().taskId(), ErrorCode.TRANSFER_FAIL);
    assertTasks(0, 0, 1, 1);
    lanes.startFails = ErrorCode.OBJECT_NOT_FOUND;
    drain.byHand.move(new MoveRequest("", "none", "a", "b"));
    assertTasks(0, 0, 1, 1);
  }

  private void assertTasks(int pending, int processing, long succeeded, long failed) {
    drain.clock.settle();
    DrainCounts.Figures figures = drain.counts.figures();
    assertThat(figures.pendingTasks()).isEqualTo(pending);
    assertThat(figures.processingTasks()).isEqualTo(processing);
    assertThat(figures.succeededTasks()).isEqualTo(succeeded);
    assertThat(figures.failedTasks()).isEqualTo(failed);
  }

  @Test
  void limitsAreCheckedByTheRequestItselfWhateverInterfaceItCameBy() {
    long tooLong = DrainRequest.MAX_MILLIS + 1;
    for (long[] wrong :
        new long[][] {
          {0, 0, 0, 0},
          {1_025, 0, 0, 0},
          {4, -1, 0, 0},
          {4, 0, -1, 0},
          {4, 0, tooLong, 0},
          {4, 0, Long.MAX_VALUE, 0},
          {4, 0, 0, -1},
          {4, 0, 0, tooLong}
        }) {
      assertThatThrownBy(
              () ->
                  new DrainRequest(
                      "n", List.of(), List.of(), (int) wrong[0], wrong[1], wrong[2], wrong[3]))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PARAMS));
    }
    new DrainRequest(
        "n",
        List.of(),
        List.of(),
        1_024,
        Long.MAX_VALUE,
        DrainRequest.MAX_MILLIS,
        DrainRequest.MAX_MILLIS);
  }
}
