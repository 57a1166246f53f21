package io.moonpool.master.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.index.WaitReason;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.JobStatus;
import io.moonpool.model.SegmentStatus;
import io.moonpool.protocol.call.ReplicaTask;
import io.vertx.core.Promise;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The life of one job: what it counts, what it waits for, and how it ends. */
class DrainJobTest {
  /** Units that a node has beyond the concurrency. */
  private static final int AHEAD = 16;

  private final DrainFixture drain = new DrainFixture();
  private final FakeLanes lanes = drain.lanes;
  private UUID node;
  private UUID other;
  private long memory;

  @BeforeEach
  void mount() {
    node = drain.node(1);
    other = drain.node(2);
    memory = drain.memory(node, "a");
    drain.memory(other, "b");
  }

  private UUID drainA() {
    return drain.drain(DrainRequest.ofSegments("a"));
  }

  private static DrainRequest request(int concurrency, long rate, long deadline, long stall) {
    return new DrainRequest("", List.of("a"), List.of(), concurrency, rate, deadline, stall);
  }

  private void add(int units) {
    for (int i = 0; i < units; i++) {
      lanes.add(i % 2, "key-" + i, memory);
    }
  }

  @Test
  void nothingToMoveIsDrainedAtOnce() {
    UUID job = drainA();
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINED);
    assertThat(drain.clock.pendingTimers()).as("no deadline is left").isZero();
  }

  @Test
  void movesAllWithTheConcurrencyThatWasAskedFor() {
    add(11);
    UUID job = drainA();
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINING);
    assertThat(drain.job(job).activeUnits()).isEqualTo(4);
    int done = 0;
    for (List<ReplicaTask> taken = drain.take(node, 1);
        !taken.isEmpty();
        taken = drain.take(node, 1)) {
      assertThat(taken.getFirst().isDrain()).isTrue();
      assertThat(drain.job(job).activeUnits()).isBetween(1, 4);
      assertThat(drain.job(job).remainingUnits()).isEqualTo(11 - done);
      drain.settle(node, taken.getFirst().taskId(), ErrorCode.OK);
      done++;
      assertThat(drain.job(job).succeededUnits()).isEqualTo(done);
      assertThat(drain.job(job).migratedBytes()).isEqualTo(done * FakeLanes.SIZE);
    }
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.succeededUnits()).isEqualTo(11);
    assertThat(end.migratedBytes()).isEqualTo(11 * FakeLanes.SIZE);
    assertThat(end.failedUnits() + end.failedAttempts() + end.blockedUnits() + end.lostUnits())
        .isZero();
    assertThat(end.activeUnits()).isZero();
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINED);
    assertThat(lanes.closed).containsExactly(job);
    assertThat(drain.clock.pendingTimers()).isZero();
  }

  @Test
  void othersStartWhileTheEndsOfUnitsAreBeingRecorded() {
    add(41);
    UUID job = drainA();
    Promise<Void> durable = Promise.promise();
    lanes.recorded = durable.future();
    int taken = 0;
    for (List<ReplicaTask> tasks = drain.take(node, 100);
        !tasks.isEmpty();
        tasks = drain.take(node, 100)) {
      assertThat(tasks).as("at the node").hasSizeLessThanOrEqualTo(4 + AHEAD);
      taken += tasks.size();
      tasks.forEach(task -> drain.settling(node, task.taskId(), ErrorCode.OK));
    }
    assertThat(taken).isEqualTo(41);
    JobInfo waits = drain.job(job);
    assertThat(waits.status()).isEqualTo(JobStatus.RUNNING);
    assertThat(waits.succeededUnits()).isZero();
    assertThat(waits.activeUnits()).isEqualTo(41);

    durable.complete();

    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.succeededUnits()).isEqualTo(41);
  }

  @Test
  void theNodeHasTheNextUnitsBeforeASlotIsFree() {
    add(100);
    UUID job = drainA();
    List<ReplicaTask> taken = drain.take(node, 100);
    assertThat(taken).hasSizeBetween(4 + AHEAD / 2, 4 + AHEAD);
    assertThat(taken).allMatch(task -> task.group().equals(job) && task.atOnce() == 4);
    assertThat(drain.job(job).activeUnits()).as("the others are still to come").isEqualTo(4);
    int takes = lanes.takes;
    int spare = taken.size() - (4 + AHEAD / 2);
    for (ReplicaTask task : taken.subList(0, spare - 1)) {
      drain.settle(node, task.taskId(), ErrorCode.OK);
    }
    assertThat(lanes.takes).as("it has enough").isEqualTo(takes);
    drain.settle(node, taken.get(spare - 1).taskId(), ErrorCode.OK);
    assertThat(drain.take(node, 100)).as("several together").hasSizeGreaterThan(1);
    assertThat(drain.job(job).activeUnits()).isEqualTo(4);
  }

  @Test
  void largeUnitsAreNotHandedOutAhead() {
    for (int i = 0; i < 20; i++) {
      lanes.add(i % 2, "large-" + i, memory, 16 << 20);
    }
    UUID job = drainA();
    List<ReplicaTask> taken = drain.take(node, 100);
    assertThat(taken).as("64 MiB are under way").hasSize(4);
    drain.settle(node, taken.getFirst().taskId(), ErrorCode.OK);
    List<ReplicaTask> next = drain.take(node, 100);
    assertThat(next).hasSize(1);
    drain.settle(node, next.getFirst().taskId(), ErrorCode.OK);
    for (ReplicaTask task : taken) {
      drain.settle(node, task.taskId(), ErrorCode.OK);
    }
    drain.work(node);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(drain.job(job).succeededUnits()).isEqualTo(20);
  }

  @Test
  void nothingIsHandedOutAheadWithSeveralNodesOrARate() {
    long third = drain.memory(drain.node(3), "c");
    for (int i = 0; i < 20; i++) {
      lanes.add(i % 2, "of-a-" + i, memory);
      lanes.add(i % 2, "of-c-" + i, third);
    }
    UUID both = drain.drain(DrainRequest.ofSegments("a", "c"));
    assertThat(drain.take(node, 100).size() + drain.take(drain.node(3), 100).size())
        .as("no node knows what the other one does")
        .isEqualTo(4);
    drain.scheduler.cancel(both);
    lanes.reset();
    drain.drain(request(4, 1_000_000, 0, 0));
    assertThat(drain.take(node, 100)).hasSize(4);
  }

  @Test
  void aUnitIsTriedThreeTimesAndTheOthersMove() {
    add(4);
    UUID job = drainA();
    drain.workFailing(node, "key-2", ErrorCode.FILE_OPEN_FAIL);
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.FAILED);
    assertThat(end.failedAttempts()).isEqualTo(3);
    assertThat(end.failedUnits()).isEqualTo(1);
    assertThat(end.succeededUnits()).isEqualTo(3);
    assertThat(end.migratedBytes()).isEqualTo(3 * FakeLanes.SIZE);
    assertThat(end.message()).contains("1 object could", "key-2", "FILE_OPEN_FAIL");
    assertThat(end.blocked()).singleElement().extracting("key").isEqualTo("key-2");
    assertThat(drain.status("a")).as("readable, no new data").isEqualTo(SegmentStatus.DRAINING);
    assertThat(lanes.revoked).as("each attempt gives its target back").hasSize(3);
  }

  @Test
  void allUnitsFailAndTheJobIsNotStuck() {
    add(4);
    UUID job = drainA();
    for (int round = 0; round < 6; round++) {
      for (ReplicaTask task : drain.take(node, 100)) {
        drain.settle(node, task.taskId(), ErrorCode.FILE_OPEN_FAIL);
      }
    }
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.FAILED);
    assertThat(end.failedAttempts()).isEqualTo(12);
    assertThat(end.failedUnits()).isEqualTo(4);
    assertThat(end.succeededUnits()).isZero();
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINING);
  }

  @Test
  void aUnitThatSucceedsInTheEndIsNoFailedUnit() {
    add(1);
    UUID job = drainA();
    for (int attempt = 0; attempt < 2; attempt++) {
      drain.settle(node, drain.take(node, 1).getFirst().taskId(), ErrorCode.FILE_READ_FAIL);
      assertThat(drain.job(job).status()).isEqualTo(JobStatus.RUNNING);
    }
    drain.work(node);
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.failedAttempts()).isEqualTo(2);
    assertThat(end.failedUnits()).isZero();
    assertThat(end.succeededUnits()).isEqualTo(1);
  }

  @Test
  void aTargetThatCannotBeReachedGetsTimeToBeKnownAsGone() {
    add(1);
    UUID job = drainA();
    drain.settle(node, drain.take(node, 1).getFirst().taskId(), ErrorCode.TRANSFER_FAIL);
    assertThat(drain.take(node, 1)).isEmpty();
    assertThat(drain.job(job).blockedUnits()).isEqualTo(1);
    drain.clock.advance(1_000);
    drain.settle(node, drain.take(node, 1).getFirst().taskId(), ErrorCode.TRANSFER_FAIL);
    drain.clock.advance(DrainFixture.ACTIVE_TTL);
    assertThat(drain.take(node, 1)).as("its node may only look alive").isEmpty();
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.RUNNING);
    drain.clock.advance(1_000);
    drain.work(node);
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.failedAttempts()).isEqualTo(2);
  }

  @Test
  void theMasterCountsAFailureOfItsOwnAsAnAttempt() {
    add(1);
    lanes.endsWith.put("key-0", ErrorCode.REPLICA_IS_GONE);
    UUID job = drainA();
    drain.settle(node, drain.take(node, 1).getFirst().taskId(), ErrorCode.OK);
    assertThat(drain.job(job).failedAttempts()).isEqualTo(1);
    lanes.endsWith.clear();
    drain.work(node);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(drain.job(job).succeededUnits()).isEqualTo(1);
  }

  @Test
  void whatIsRemovedOrOverwrittenMeanwhileIsNeitherMovedNorFailed() {
    add(3);
    lanes.endsWith.put("key-0", ErrorCode.OBJECT_NOT_FOUND);
    lanes.endsWith.put("key-1", ErrorCode.INVALID_VERSION);
    UUID job = drainA();
    drain.work(node);
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.goneUnits()).isEqualTo(2);
    assertThat(end.succeededUnits()).isEqualTo(1);
    assertThat(end.migratedBytes()).isEqualTo(FakeLanes.SIZE);
    assertThat(end.failedAttempts()).isZero();
  }

  @Test
  void replicasThatEveryOtherSegmentHasAreCountedApart() {
    add(2);
    lanes.addDroppable(1, 5);
    UUID job = drainA();
    drain.work(node);
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.droppedUnits()).isEqualTo(5);
    assertThat(end.succeededUnits()).isEqualTo(2);
    assertThat(end.migratedBytes()).as("nothing of the dropped moved").isEqualTo(2_000);
  }

  @Test
  void blockedUnitsAreShownWithTheirReasonAndNeverAskedForAgain() {
    lanes.block(0, "big", memory);
    add(2);
    UUID job = drainA();
    drain.work(node);
    JobInfo waits = drain.job(job);
    assertThat(waits.status()).isEqualTo(JobStatus.RUNNING);
    assertThat(waits.succeededUnits()).isEqualTo(2);
    assertThat(waits.blockedUnits()).isEqualTo(1);
    assertThat(waits.blocked()).containsExactly(new JobInfo.BlockedUnit("", "big", "no_space"));
    assertThat(waits.message()).contains("1 object waits for room on a target", "big");
    int takes = lanes.takes;
    int statuses = lanes.statuses;
    int timers = drain.clock.timersSet();
    drain.clock.advance(500_000);
    assertThat(lanes.takes).as("nobody looks while nothing happens").isEqualTo(takes);
    assertThat(lanes.statuses).isEqualTo(statuses);
    assertThat(drain.clock.timersSet()).as("no timer but the deadline").isEqualTo(timers);

    assertThat(drain.job(job).remainingMillis())
        .as("nobody can tell how long it waits")
        .isEqualTo(-1);
    lanes.block(1, "bigger", memory);
    drain.laneChanged(1, job);
    assertThat(drain.job(job).message()).contains("2 objects wait for room on a target");
    lanes.unblock(1, "bigger");
    takes = lanes.takes;

    lanes.unblock(0, "big");
    drain.laneChanged(0, job);
    assertThat(lanes.takes).isEqualTo(takes + 1);
    drain.laneChanged(1, job);
    drain.work(node);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(drain.job(job).succeededUnits()).isEqualTo(4);
    assertThat(drain.job(job).remainingMillis()).isZero();
  }

  @Test
  void timeLeftIsNotToldBeforeThereIsARateNorWhenTheJobHasEndedEarly() {
    add(100);
    UUID job = drainA();
    drain.settle(node, drain.take(node, 1).getFirst().taskId(), ErrorCode.OK);
    assertThat(drain.job(job).remainingMillis()).as("it has just begun").isEqualTo(-1);
    for (int i = 0; i < 50; i++) {
      drain.clock.advance(20);
      drain.settle(node, drain.take(node, 1).getFirst().taskId(), ErrorCode.OK);
    }
    assertThat(drain.job(job).remainingMillis()).isBetween(800L, 1_200L);
    drain.scheduler.cancel(job);
    assertThat(drain.job(job).remainingUnits()).isPositive();
    assertThat(drain.job(job).remainingMillis()).isEqualTo(-1);
  }

  @Test
  void aTurnCostsWhatItStartsHoweverManyWait() {
    for (int i = 0; i < 1_000; i++) {
      lanes.block(i % 2, "blocked-" + i, memory);
    }
    add(100);
    UUID job = drainA();
    drain.work(node);
    assertThat(drain.job(job).succeededUnits()).isEqualTo(100);
    assertThat(drain.job(job).blockedUnits()).isEqualTo(1_000);
    assertThat(lanes.takes).isLessThan(110);
    assertThat(lanes.statuses).isLessThan(10);
  }

  @Test
  void aPausedSourceIsAReasonToo() {
    lanes.paused.add(WaitReason.CLIENT_SUSPECTED);
    lanes.block(0, "x", memory);
    UUID job = drainA();
    assertThat(drain.job(job).message()).contains("not heard from");
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.RUNNING);
  }

  @Test
  void aJobThatGetsNowhereFailsWithWhatItWaitsFor() {
    lanes.block(0, "big", memory);
    UUID job = drain.drain(request(4, 0, 0, 60_000));
    drain.clock.advance(59_999);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.RUNNING);
    drain.clock.advance(1);
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.FAILED);
    assertThat(end.message()).contains("60000 ms", "room", "big");
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINING);
  }

  @Test
  void progressPutsTheStallOff() {
    add(1);
    lanes.block(0, "big", memory);
    UUID job = drain.drain(request(4, 0, 0, 60_000));
    drain.clock.advance(50_000);
    drain.work(node);
    drain.clock.advance(59_000);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.RUNNING);
    drain.clock.advance(1_000);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.FAILED);
  }

  @Test
  void theConfiguredStallTimeoutIsTenMinutes() {
    lanes.block(0, "big", memory);
    UUID job = drainA();
    drain.clock.advance(599_999);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.RUNNING);
    drain.clock.advance(1);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.FAILED);
  }

  @Test
  void aDeadlineEndsTheJobEvenWhileItMoves() {
    add(100);
    UUID job = drain.drain(request(4, 0, 5_000, 0));
    drain.settle(node, drain.take(node, 1).getFirst().taskId(), ErrorCode.OK);
    drain.clock.advance(5_000);
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.FAILED);
    assertThat(end.message()).contains("deadline");
    assertThat(end.succeededUnits()).isEqualTo(1);
  }

  @Test
  void drainedWaitsForTheLastLease() {
    lanes.leaseLeftMillis = 7_000;
    add(2);
    UUID job = drainA();
    drain.work(node);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.RUNNING);
    assertThat(drain.job(job).message()).contains("reader");
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINING);
    lanes.leaseLeftMillis = 0;
    drain.laneChanged(1, job);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINED);
  }

  // Until what has moved is on the disks of its new homes

  private UUID drainAndWaitForDisks(int units) {
    add(3);
    UUID job = drainA();
    lanes.rehoming(memory, units);
    assertThat(drain.work(node)).isEqualTo(3);
    return job;
  }

  @Test
  void succeededWaitsForTheDisksOfTheNewHomes() {
    UUID job = drainAndWaitForDisks(2);
    JobInfo waits = drain.job(job);
    assertThat(waits.status()).isEqualTo(JobStatus.RUNNING);
    assertThat(waits.succeededUnits()).isEqualTo(3);
    assertThat(waits.rehomingUnits()).isEqualTo(2);
    assertThat(waits.blockedUnits()).isZero();
    assertThat(waits.message()).contains("2 objects have moved", "disk of their new home");
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINING);

    lanes.rehome(0, 2);
    drain.laneChanged(0, job);

    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.succeededUnits()).isEqualTo(3);
    assertThat(end.rehomingUnits()).isZero();
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINED);
  }

  @Test
  void aDiskThatTakesNothingEndsTheJobAndOneThatTakesSomethingDoesNot() {
    add(3);
    UUID job = drain.drain(request(4, 0, 0, 60_000));
    lanes.rehoming(memory, 2);
    drain.work(node);
    drain.clock.advance(50_000);
    lanes.rehome(1, 1);
    drain.laneChanged(1, job);
    drain.clock.advance(59_999);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.RUNNING);

    drain.clock.advance(1);

    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.FAILED);
    assertThat(end.message()).contains("1 object has moved and is not on the disk of its new home");
    assertThat(end.rehomingUnits()).isEqualTo(1);
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINING);
  }

  @Test
  void whatLosesItsNewHomeBeforeADiskHasItIsMovedAgainAndCountedOnce() {
    UUID job = drainAndWaitForDisks(1);
    lanes.undo(0, "key-2", memory);
    drain.laneChanged(0, job);
    assertThat(drain.job(job).succeededUnits()).isEqualTo(2);
    assertThat(drain.job(job).migratedBytes()).isEqualTo(2 * FakeLanes.SIZE);
    assertThat(drain.job(job).unitsPerSecond()).isNotNegative();
    assertThat(drain.counts.figures().succeededUnits()).as("only grows").isEqualTo(3);

    assertThat(drain.work(node)).isEqualTo(1);

    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.succeededUnits()).isEqualTo(3);
    assertThat(end.migratedBytes()).isEqualTo(3 * FakeLanes.SIZE);
  }

  @Test
  void aNodeThatGoesBeforeTheDisksHaveWhatItHadFailsTheJobAndLosesNothing() {
    UUID job = drainAndWaitForDisks(2);
    drain.offline(node);
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.FAILED);
    assertThat(end.lostUnits()).isZero();
    assertThat(end.message()).contains("2 objects that have moved");
  }

  @Test
  void cancelEndsAtOnceAndWhatNodesHaveIsStillCounted() {
    add(10);
    UUID job = drainA();
    List<ReplicaTask> taken = drain.take(node, 2);
    JobInfo canceled = drain.scheduler.cancel(job);
    assertThat(canceled.status()).isEqualTo(JobStatus.CANCELED);
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.OK);
    assertThat(drain.job(job).activeUnits()).as("those that no node had are given up").isEqualTo(2);
    assertThat(lanes.revoked).hasSize(8);
    assertThat(drain.take(node, 10)).as("no new ones").isEmpty();
    drain.settle(node, taken.get(0).taskId(), ErrorCode.OK);
    drain.settle(node, taken.get(1).taskId(), ErrorCode.TRANSFER_FAIL);
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.CANCELED);
    assertThat(end.activeUnits()).isZero();
    assertThat(end.succeededUnits()).isEqualTo(1);
    assertThat(end.migratedBytes()).isEqualTo(FakeLanes.SIZE);
    assertThat(drain.take(node, 10)).isEmpty();
    assertThat(drain.clock.pendingTimers()).isZero();
  }

  @Test
  void unitsThatWereBeingStartedWhenTheJobEndedAreGivenBack() {
    add(4);
    lanes.addDroppable(0, 3);
    lanes.holdTakes = true;
    UUID job = drainA();
    drain.scheduler.cancel(job);
    lanes.releaseTakes();
    assertThat(drain.job(job).droppedUnits()).as("what happened is counted").isEqualTo(3);
    assertThat(lanes.transfers).isEmpty();
    assertThat(lanes.revoked).hasSize(4);
    assertThat(drain.job(job).activeUnits()).isZero();
    assertThat(drain.take(node, 10)).isEmpty();
  }

  @Test
  void aCanceledDrainCanBeStartedAgain() {
    add(10);
    UUID first = drainA();
    drain.scheduler.cancel(first);
    lanes.reset();
    UUID second = drainA();
    drain.work(node);
    assertThat(drain.job(second).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(drain.job(second).succeededUnits()).isEqualTo(10);
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINED);
  }

  @Test
  void aNodeThatGoesOfflineLosesWhatWasLeft() {
    add(10);
    UUID job = drainA();
    drain.settle(node, drain.take(node, 1).getFirst().taskId(), ErrorCode.OK);
    drain.offline(node);
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.FAILED);
    assertThat(end.succeededUnits()).isEqualTo(1);
    assertThat(end.lostUnits()).isEqualTo(9);
    assertThat(end.activeUnits()).isZero();
    assertThat(end.message()).contains("a went away with 9");
  }

  @Test
  void onlyWhatWasOnTheNodeThatWentIsLost() {
    long second = drain.memory(other, "c");
    for (int i = 0; i < 10; i++) {
      lanes.block(i % 2, "key-" + i, i < 7 ? memory : second);
    }
    UUID job = drain.drain(DrainRequest.ofSegments("a", "c"));
    drain.offline(other);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.FAILED);
    assertThat(drain.job(job).lostUnits()).isEqualTo(3);
    assertThat(drain.status("a")).isEqualTo(SegmentStatus.DRAINING);
  }

  @Test
  void aNodeThatHadNothingLeftDoesNotEndTheJobOfOthers() {
    drain.memory(other, "c");
    lanes.block(0, "key", memory);
    UUID job = drain.drain(DrainRequest.ofSegments("a", "c"));
    drain.offline(other);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.RUNNING);
    lanes.unblock(0, "key");
    drain.laneChanged(0, job);
    drain.work(node);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(drain.job(job).lostUnits()).isZero();
  }

  @Test
  void whatFailedForGoodIsNotLostASecondTime() {
    add(2);
    lanes.block(0, "x", memory);
    UUID job = drainA();
    drain.workFailing(node, "key-1", ErrorCode.FILE_OPEN_FAIL);
    assertThat(drain.job(job).failedUnits()).isEqualTo(1);
    drain.offline(node);
    JobInfo end = drain.job(job);
    assertThat(end.succeededUnits()).isEqualTo(1);
    assertThat(end.failedUnits()).isEqualTo(1);
    assertThat(end.lostUnits()).isEqualTo(1);
  }

  @Test
  void aNodeThatLeavesEmptyHandedIsNoFailure() {
    lanes.leaseLeftMillis = 5_000;
    add(2);
    UUID job = drainA();
    drain.work(node);
    drain.offline(node);
    JobInfo end = drain.job(job);
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.lostUnits()).isZero();
  }

  @Test
  void theRateIsKeptAndNothingIsAskedInBetween() {
    add(50);
    UUID job = drain.drain(request(4, 10_000, 0, 0));
    int moved = drain.work(node);
    assertThat(moved).as("a bucket holds a second").isBetween(10, 14);
    for (int second = 0; second < 3; second++) {
      int takes = lanes.takes;
      int last = 0;
      for (int tenth = 0; tenth < 10; tenth++) {
        drain.clock.advance(100);
        last += drain.work(node);
      }
      assertThat(last).isBetween(8, 12);
      assertThat(lanes.takes - takes).isLessThan(30);
    }
    drain.clock.advance(10_000);
    for (int i = 0; i < 100; i++) {
      drain.work(node);
      drain.clock.advance(1_000);
    }
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(drain.job(job).succeededUnits()).isEqualTo(50);
  }

  @Test
  void anObjectLargerThanTheRateMovesAllTheSame() {
    lanes.add(0, "huge", memory, 100_000);
    lanes.add(0, "next", memory, 1_000);
    UUID job = drain.drain(request(4, 10_000, 0, 0));
    drain.work(node);
    assertThat(drain.job(job).succeededUnits()).isEqualTo(1);
    drain.clock.advance(8_000);
    assertThat(drain.work(node)).as("what was overdrawn is waited for").isZero();
    drain.clock.advance(1_100);
    assertThat(drain.work(node)).isEqualTo(1);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void taskTimeoutsAreAttemptsLikeOthers() {
    add(1);
    UUID job = drainA();
    drain.take(node, 1);
    drain.clock.advance(300_000);
    assertThat(drain.job(job).failedAttempts()).isEqualTo(1);
    assertThat(lanes.revoked).hasSize(1);
    drain.clock.advance(1_000);
    drain.work(node);
    assertThat(drain.job(job).status()).isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void aTransferThatTheMetadataLoopGaveUpIsAnAttempt() {
    add(1);
    UUID job = drainA();
    ReplicaTask task = drain.take(node, 1).getFirst();
    drain.tasks.expired(task.taskId());
    drain.clock.settle();
    assertThat(drain.job(job).failedAttempts()).isEqualTo(1);
    assertThat(drain.settle(node, task.taskId(), ErrorCode.OK).code())
        .as("too late, and nobody minds")
        .isEqualTo(ErrorCode.OK);
    assertThat(drain.job(job).succeededUnits()).isZero();
    drain.clock.advance(1_000);
    drain.work(node);
    assertThat(drain.job(job).succeededUnits()).isEqualTo(1);
  }

  @Test
  void eventsTellEachStatusOnceAndFiguresFourTimesASecond() {
    add(100);
    UUID job = drainA();
    for (int i = 0; i < 100; i++) {
      drain.settle(node, drain.take(node, 1).getFirst().taskId(), ErrorCode.OK);
      drain.clock.advance(20);
    }
    List<String> told = drain.events.stream().map(DrainEvent::event).toList();
    assertThat(told).startsWith("created", "planning", "running").endsWith("succeeded");
    assertThat(told.stream().filter("progress"::equals).count()).isBetween(6L, 9L);
    DrainEvent last = drain.events.getLast();
    assertThat(last.job().id()).isEqualTo(job);
    assertThat(last.job().succeededUnits()).isEqualTo(100);
    DrainEvent middle = drain.events.get(drain.events.size() / 2);
    assertThat(middle.job().unitsPerSecond()).isBetween(30.0, 70.0);
    assertThat(middle.job().remainingMillis()).isBetween(500L, 2_500L);
  }
}
