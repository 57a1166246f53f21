package io.moonpool.master.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.moonpool.master.TestMaster;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.JobStatus;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.EndTransfer;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.StartTransfer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Copies and moves that clients carry out by themselves, with frames. */
class MasterTransfersTest {
  private static final int SIZE = 4_096;
  private static final UUID CLIENT = new UUID(0xC11E, 1);
  private static final UUID OTHER = new UUID(0xC11E, 2);

  private TestMaster test;
  private TestMaster.Node first;
  private TestMaster.Node second;
  private TestMaster.Node third;

  private void start(long grantMillis) {
    test =
        TestMaster.start(
            TestMaster.config().metadataLoops(2).leaseTtlMillis(200).writeGrantMillis(grantMillis));
    first = test.node(1, 1 << 20);
    test.put(SIZE, "key");
    second = test.node(2, 1 << 20);
    third = test.node(3, 1 << 20);
  }

  @AfterEach
  void stop() {
    test.close();
  }

  private static byte[] key(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  private static String segment(TestMaster.Node node) {
    return node.segments().getFirst().id().toString();
  }

  private static StartTransfer move(TestMaster.Node from, TestMaster.Node to) {
    return new StartTransfer(CLIENT, "", key("key"), segment(from), List.of(segment(to)));
  }

  private static EndTransfer end(ReplicaTask started) {
    return new EndTransfer(CLIENT, "", started.object().key(), started.object().version());
  }

  private List<Long> complete() {
    return test.locate("key").get().replicas().stream()
        .filter(replica -> replica.status() == ReplicaStatus.COMPLETE)
        .map(ReplicaDescriptor::generation)
        .toList();
  }

  private long generation(TestMaster.Node node) {
    return test.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[0])).stream()
        .filter(each -> each.spec().id().equals(node.segments().getFirst().id()))
        .findFirst()
        .orElseThrow()
        .generation();
  }

  private static void refused(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void aMoveIsSeenWhenItHasEnded() {
    start(30_000);
    ReplicaTask started = test.call(Calls.MOVE_START, move(first, second));
    assertThat(started.isDrain()).isFalse();
    assertThat(started.object().size()).isEqualTo(SIZE);
    assertThat(started.source().generation()).isEqualTo(generation(first));
    assertThat(started.targets()).hasSize(1);
    assertThat(started.targets().getFirst().generation()).isEqualTo(generation(second));
    assertThat(started.grantMillis()).isEqualTo(30_000);
    assertThat(complete()).containsExactly(generation(first));

    test.call(Calls.MOVE_END, end(started));

    assertThat(complete()).containsExactly(generation(second));
    refused(ErrorCode.OBJECT_NO_REPLICATION_TASK, () -> test.call(Calls.MOVE_END, end(started)));
  }

  @Test
  void aCopyMayHaveSeveralTargetsAndIsGivenUpAsAWhole() {
    start(30_000);
    StartTransfer copy =
        new StartTransfer(
            CLIENT, "", key("key"), "", List.of(segment(first), segment(second), segment(third)));
    ReplicaTask started = test.call(Calls.COPY_START, copy);
    assertThat(started.targets()).as("the first has one").hasSize(2);
    test.call(Calls.COPY_REVOKE, end(started));
    assertThat(complete()).containsExactly(generation(first));
    ReplicaTask again = test.call(Calls.COPY_START, copy);
    test.call(Calls.COPY_END, end(again));
    assertThat(complete())
        .containsExactlyInAnyOrder(generation(first), generation(second), generation(third));
  }

  @Test
  void onlyWhoStartedItEndsItAndOnlyAsWhatItIs() {
    start(30_000);
    ReplicaTask started = test.call(Calls.MOVE_START, move(first, second));
    long version = started.object().version();
    refused(
        ErrorCode.OBJECT_HAS_REPLICATION_TASK,
        () -> test.call(Calls.MOVE_START, move(first, third)));
    EndTransfer stranger = new EndTransfer(OTHER, "", key("key"), version);
    refused(ErrorCode.ILLEGAL_CLIENT, () -> test.call(Calls.MOVE_END, stranger));
    refused(ErrorCode.ILLEGAL_CLIENT, () -> test.call(Calls.MOVE_REVOKE, stranger));
    refused(ErrorCode.INVALID_PARAMS, () -> test.call(Calls.COPY_END, end(started)));
    refused(ErrorCode.INVALID_PARAMS, () -> test.call(Calls.COPY_REVOKE, end(started)));
    refused(
        ErrorCode.INVALID_VERSION,
        () -> test.call(Calls.MOVE_END, new EndTransfer(CLIENT, "", key("key"), version + 1)));
    refused(
        ErrorCode.OBJECT_NOT_FOUND,
        () -> test.call(Calls.MOVE_END, new EndTransfer(CLIENT, "", key("none"), version)));
    test.call(Calls.MOVE_REVOKE, end(started));
    assertThat(complete()).containsExactly(generation(first));
  }

  @Test
  void whatCannotBeIsRefused() {
    start(30_000);
    refused(ErrorCode.INVALID_PARAMS, () -> test.call(Calls.MOVE_START, move(first, first)));
    refused(ErrorCode.REPLICA_NOT_FOUND, () -> test.call(Calls.MOVE_START, move(second, third)));
    refused(
        ErrorCode.INVALID_PARAMS,
        () ->
            test.call(
                Calls.MOVE_START,
                new StartTransfer(CLIENT, "", key("key"), "", List.of(segment(second)))));
    refused(
        ErrorCode.INVALID_PARAMS,
        () ->
            test.call(Calls.COPY_START, new StartTransfer(CLIENT, "", key("key"), "", List.of())));
    refused(
        ErrorCode.SEGMENT_NOT_FOUND,
        () ->
            test.call(
                Calls.COPY_START,
                new StartTransfer(CLIENT, "", key("key"), "", List.of("nowhere"))));
    refused(
        ErrorCode.OBJECT_NOT_FOUND,
        () ->
            test.call(
                Calls.COPY_START,
                new StartTransfer(CLIENT, "", key("none"), "", List.of(segment(second)))));
    refused(
        ErrorCode.INVALID_KEY,
        () ->
            test.call(
                Calls.COPY_START,
                new StartTransfer(CLIENT, "", new byte[0], "", List.of(segment(second)))));
  }

  @Test
  void aClientThatIsNotHeardOfAgainLosesItsTransfer() {
    start(300);
    ReplicaTask started = test.call(Calls.MOVE_START, move(first, second));
    await()
        .untilAsserted(
            () ->
                refused(
                    ErrorCode.OBJECT_NO_REPLICATION_TASK,
                    () -> test.call(Calls.MOVE_REVOKE, late(started))));
    assertThat(complete()).containsExactly(generation(first));
    ReplicaTask again = test.call(Calls.MOVE_START, move(first, third));
    test.call(Calls.MOVE_END, end(again));
    assertThat(complete()).containsExactly(generation(third));
  }

  /** Another client asks: the first one's transfer would be ended by itself. */
  private static EndTransfer late(ReplicaTask started) {
    return new EndTransfer(OTHER, "", started.object().key(), started.object().version());
  }

  @Test
  void aTaskOfADrainIsNotEndedBehindItsBack() {
    start(30_000);
    JobInfo job =
        TestMaster.await(
            test.master().drains().createJob(DrainRequest.ofNode(first.id().toString())));
    TestNode node = new TestNode(test, first);
    ReplicaTask task = node.take(1, 5_000).getFirst();
    refused(
        ErrorCode.ILLEGAL_CLIENT,
        () ->
            test.call(
                Calls.MOVE_START,
                new StartTransfer(
                    task.taskId(), "", key("key"), segment(first), List.of(segment(second)))));
    long version = task.object().version();
    for (UUID client : List.of(task.taskId(), first.id(), CLIENT)) {
      EndTransfer foreign = new EndTransfer(client, "", key("key"), version);
      refused(ErrorCode.ILLEGAL_CLIENT, () -> test.call(Calls.MOVE_END, foreign));
      refused(ErrorCode.ILLEGAL_CLIENT, () -> test.call(Calls.MOVE_REVOKE, foreign));
    }
    assertThat(node.settle(task, ErrorCode.OK).ok()).isTrue();
    await()
        .until(
            () ->
                TestMaster.await(test.master().drains().job(job.id())).status()
                    == JobStatus.SUCCEEDED);
  }
}
