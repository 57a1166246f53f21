package io.moonpool.master.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.master.TestMaster;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.JobStatus;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.OffloadTask;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.ReportDiskObjects;
import io.moonpool.protocol.call.SettleOffloads;
import io.moonpool.protocol.call.SettledOffload;
import io.moonpool.protocol.call.TakeDiskWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drains of disks by a whole master, also one that is started again in the middle. */
class MasterDrainDiskTest {
  private static final UUID MEMORY = new UUID(0x3E3, 1);
  private static final UUID DISK = new UUID(0xD15C, 1);
  private static final int SIZE = 4_096;

  @TempDir Path directory;

  private TestMaster test;
  private TestMaster.Node first;
  private TestMaster.Node second;
  private long disk;

  /** What the disk of the first node holds. */
  private final List<DiskObject> held = new ArrayList<>();

  @BeforeEach
  void start() {
    test =
        TestMaster.start(
            TestMaster.config()
                .leaseTtlMillis(300)
                .writeGrantMillis(2_000)
                .metadataLoops(2)
                .dataDir(directory.toString()));
    first = test.newNode(1);
    first.register();
    first.segments().add(spec(MEMORY, "memory", SegmentKind.MEMORY));
    first.segments().add(spec(DISK, "disk", SegmentKind.LOCAL_DISK));
    disk = first.mountAll().getLast().get();
  }

  @AfterEach
  void stop() {
    test.close();
  }

  private void restart() {
    test.close();
    start();
  }

  private static SegmentSpec spec(UUID id, String name, SegmentKind kind) {
    return new SegmentSpec(
        id, name, 1 << 20, "host", List.of(new SegmentEndpoint("tcp", new byte[] {1})), kind);
  }

  /** Reports all that the disk holds; answers how much of it lives. */
  private long scan() {
    List<Outcome<Void>> outcomes =
        test.call(
            Calls.REPORT_DISK_OBJECTS,
            new ReportDiskObjects(
                first.id(), first.registration().incarnation(), disk, held, true));
    return outcomes.stream().filter(Outcome::ok).count();
  }

  private List<OffloadTask> offloads() {
    return test.call(
            Calls.TAKE_DISK_WORK,
            new TakeDiskWork(
                first.id(), first.registration().incarnation(), disk, 0, true, 100, 100, 5_000))
        .offloads();
  }

  private List<Outcome<Void>> settle(List<OffloadTask> tasks) {
    List<SettledOffload> settled = new ArrayList<>();
    for (OffloadTask task : tasks) {
      held.add(task.object());
      settled.add(
          new SettledOffload(
              task.object().tenant(),
              task.object().key(),
              task.object().version(),
              task.replicaId(),
              true));
    }
    return test.call(
        Calls.SETTLE_OFFLOADS,
        new SettleOffloads(first.id(), first.registration().incarnation(), disk, settled));
  }

  /** Objects in the memory and on the disk of the first node. */
  private void putAndOffload(String... keys) {
    test.put(SIZE, keys);
    int done = 0;
    while (done < keys.length) {
      List<OffloadTask> tasks = offloads();
      assertThat(settle(tasks)).isNotEmpty().allMatch(Outcome::ok);
      done += tasks.size();
    }
  }

  private static String[] keys(int count) {
    return IntStream.range(0, count).mapToObj(i -> "key-" + i).toArray(String[]::new);
  }

  private SegmentInfo segment(UUID id) {
    return test.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[0])).stream()
        .filter(segment -> segment.spec().id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private UUID drain() {
    return TestMaster.await(
            test.master().drains().createJob(DrainRequest.ofNode(first.id().toString())))
        .id();
  }

  private JobInfo job(UUID id) {
    return TestMaster.await(test.master().drains().job(id));
  }

  private JobInfo ended(UUID id) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(job(id)).matches(job -> job.status().terminal()));
    return job(id);
  }

  private List<ReplicaType> types(String key) {
    return test.locate(key).get().replicas().stream().map(ReplicaDescriptor::type).toList();
  }

  @Test
  void memoryGoesFirstAndTakesTheDiskReplicaAlong() {
    scan();
    putAndOffload(keys(4));
    second = test.node(2, 1 << 20);
    TestNode works = new TestNode(test, first).start();
    JobInfo end = ended(drain());
    works.stop();
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.succeededUnits()).as("an object is moved once").isEqualTo(4);
    assertThat(end.migratedBytes()).isEqualTo(4L * SIZE);
    assertThat(segment(MEMORY).status()).isEqualTo(SegmentStatus.DRAINED);
    assertThat(segment(DISK).status()).isEqualTo(SegmentStatus.DRAINED);
    assertThat(types("key-2")).containsExactly(ReplicaType.MEMORY);
    restart();
    assertThat(segment(DISK).status()).as("it is not known yet").isEqualTo(SegmentStatus.DRAINING);
    await().until(() -> segment(MEMORY).status() == SegmentStatus.DRAINED);
    assertThat(scan()).as("what is in its files is dead").isZero();
    await().until(() -> segment(DISK).status() == SegmentStatus.DRAINED);
  }

  @Test
  void aDrainOfADiskGoesOnWithAnotherMaster() {
    scan();
    putAndOffload(keys(10));
    restart();
    assertThat(scan()).isEqualTo(10);
    assertThat(types("key-1")).as("on disk only").containsExactly(ReplicaType.LOCAL_DISK);
    test.node(2, 1 << 20);
    UUID job = drain();
    TestNode node = new TestNode(test, first);
    List<ReplicaTask> taken = node.take(2, 5_000);
    for (ReplicaTask task : taken) {
      assertThat(task.source().type()).isEqualTo(ReplicaType.LOCAL_DISK);
      assertThat(task.isDrain()).isTrue();
      assertThat(node.settle(task, ErrorCode.OK).ok()).isTrue();
    }
    await().until(() -> job(job).succeededUnits() == taken.size());

    restart();
    JobInfo waits = job(job);
    assertThat(waits.status()).isEqualTo(JobStatus.PLANNING);
    assertThat(waits.message()).contains("disk");
    assertThat(segment(MEMORY).status()).isEqualTo(SegmentStatus.DRAINING);
    assertThat(segment(DISK).status()).isEqualTo(SegmentStatus.DRAINING);
    assertThat(test.putStartCode(SIZE, "new")).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
    second = test.node(2, 1 << 20);
    TestNode works = new TestNode(test, first).start();
    assertThat(scan())
        .as("a scan is taken over while the disk drains; what moved is dead on it")
        .isEqualTo(10 - taken.size());
    JobInfo end = ended(job);
    works.stop();
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.succeededUnits()).isGreaterThanOrEqualTo(10 - taken.size());
    assertThat(end.failedUnits() + end.lostUnits()).isZero();
    assertThat(segment(DISK).status()).isEqualTo(SegmentStatus.DRAINED);
    long alive =
        IntStream.range(0, 10)
            .filter(i -> test.locate("key-" + i).ok())
            .peek(i -> assertThat(types("key-" + i)).containsExactly(ReplicaType.MEMORY))
            .count();
    assertThat(alive).isEqualTo(10 - taken.size());
  }

  @Test
  void whatIsWrittenToADiskThatDrainsIsNotRegistered() {
    scan();
    test.put(SIZE, "key");
    List<OffloadTask> late = offloads();
    assertThat(late).hasSize(1);
    second = test.node(2, 1 << 20);
    UUID job = drain();
    TestNode works = new TestNode(test, first).start();
    assertThat(settle(late).getFirst().ok()).as("to be tombstoned").isFalse();
    JobInfo end = ended(job);
    works.stop();
    assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(end.succeededUnits()).isEqualTo(1);
    assertThat(types("key")).containsExactly(ReplicaType.MEMORY);
  }
}
