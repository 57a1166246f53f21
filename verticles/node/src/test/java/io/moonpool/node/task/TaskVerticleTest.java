package io.moonpool.node.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.model.Checksum;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.TaskType;
import io.moonpool.node.disk.DiskConfig;
import io.moonpool.node.disk.DiskMount;
import io.moonpool.node.disk.LocalDiskVerticle;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.DiskWork;
import io.moonpool.protocol.call.OffloadTask;
import io.moonpool.protocol.call.PromotionTask;
import io.moonpool.protocol.call.ReplicaSource;
import io.moonpool.protocol.call.ReplicaTarget;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettledOffload;
import io.moonpool.protocol.call.SettledPromotion;
import io.moonpool.protocol.call.SettledTask;
import io.moonpool.protocol.frame.ConnectionLimit;
import io.vertx.core.net.NetServerOptions;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks from a scripted master, between real transports and from real files. */
class TaskVerticleTest {
  private static final UUID NODE = new UUID(1, 2);
  private static final long SOURCE = 7;
  private static final long TARGET = 8;
  private static final long SECOND_TARGET = 9;
  private static final long GONE = 10;
  private static final long DISK = 11;
  private static final long GRANT_MILLIS = 30_000;
  private static final int MIB = 1 << 20;

  @TempDir private Path directory;

  private final List<AutoCloseable> opened = new ArrayList<>();
  private StoredValues stored;
  private ScriptedMaster master;
  private Peer node;
  private Peer target;
  private LocalDiskVerticle disk;
  private TaskVerticle tasks;

  @BeforeEach
  void start() throws Exception {
    stored = new StoredValues(directory.resolve("disk"));
    master = closed(new ScriptedMaster());
    node = closed(new Peer(SOURCE, 16 * MIB));
    target = closed(new Peer(TARGET, 64 * MIB));
    master.describe(target.info());
  }

  @AfterEach
  void stop() throws Exception {
    if (tasks != null) {
      node.vertx().undeploy(tasks.deploymentID()).await(30, TimeUnit.SECONDS);
    }
    if (disk != null) {
      node.vertx().undeploy(disk.deploymentID()).await(30, TimeUnit.SECONDS);
    }
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
  }

  private <T extends AutoCloseable> T closed(T resource) {
    opened.add(resource);
    return resource;
  }

  private MemorySegment find(long generation, long offset, long bytes) {
    return generation == SOURCE && offset <= node.memory().byteSize() - bytes
        ? node.memory().asSlice(offset, bytes)
        : null;
  }

  /** A node without a disk, registered as incarnation 1. */
  private void deploy(int concurrency) throws Exception {
    tasks = new TaskVerticle(concurrency, master.address(), node.transports(), this::find, disk);
    node.vertx().deployVerticle(tasks).await(10, TimeUnit.SECONDS);
    tasks.mounted(NODE, 1);
  }

  /** The same with a disk that was written before. */
  private void deployWithDisk(int concurrency, long stagingBytes) throws Exception {
    DiskConfig some = DiskConfig.in(directory.resolve("disk"));
    DiskConfig config =
        new DiskConfig(
            some.dir(),
            some.quotaBytes(),
            some.evictionPolicy(),
            some.highWatermark(),
            some.lowWatermark(),
            some.bucketKeys(),
            some.bucketBytes(),
            some.bucketLingerMillis(),
            stagingBytes,
            some.stagingLeaseMillis(),
            some.port(),
            some.threads(),
            some.queueLimit(),
            some.shutdownMillis());
    disk =
        new LocalDiskVerticle(
            new LocalDiskVerticle.Settings(
                config,
                NODE,
                "node",
                "",
                "127.0.0.1",
                "127.0.0.1",
                new NetServerOptions(),
                ConnectionLimit.none(),
                master.address()),
            node.transports(),
            this::find);
    node.vertx().deployVerticle(disk).await(30, TimeUnit.SECONDS);
    disk.mounted(new DiskMount(NODE, 1, DISK));
    deploy(concurrency);
  }

  private static DiskObject object(long version, long size) {
    return new DiskObject(
        "",
        StoredValues.key(version),
        version,
        size,
        Checksum.NONE,
        ObjectDataType.UNKNOWN,
        false,
        "");
  }

  private static ReplicaTask move(
      ReplicaSource source, long version, long size, long grantMillis, ReplicaTarget... targets) {
    return move(UUID.randomUUID(), 1_000, source, version, size, grantMillis, targets);
  }

  private static ReplicaTask move(
      UUID group,
      int atOnce,
      ReplicaSource source,
      long version,
      long size,
      long grantMillis,
      ReplicaTarget... targets) {
    return new ReplicaTask(
        UUID.randomUUID(),
        targets.length > 1 ? TaskType.REPLICA_COPY : TaskType.REPLICA_MOVE,
        true,
        object(version, size),
        source,
        List.of(targets),
        group,
        atOnce,
        grantMillis);
  }

  private static ReplicaTarget at(long generation, long offset) {
    return new ReplicaTarget(offset, generation, offset);
  }

  private static ReplicaSource memory(long offset) {
    return new ReplicaSource(ReplicaType.MEMORY, SOURCE, offset);
  }

  private static ReplicaTask diskMove(long version, long size, long targetOffset) {
    return move(
        new ReplicaSource(ReplicaType.LOCAL_DISK, DISK, 0),
        version,
        size,
        GRANT_MILLIS,
        at(TARGET, targetOffset));
  }

  private byte[] inMemory(long version, int size, long offset) {
    byte[] value = StoredValues.value(version, size);
    MemorySegment.copy(MemorySegment.ofArray(value), 0, node.memory(), offset, size);
    return value;
  }

  private ErrorCode run(ReplicaTask task) {
    return run(1, task);
  }

  private ErrorCode run(long incarnation, ReplicaTask task) {
    master.offer(incarnation, task);
    await().atMost(20, TimeUnit.SECONDS).until(() -> !master.settled(task.taskId()).isEmpty());
    return master.settled(task.taskId()).getFirst();
  }

  private void assertTargetUntouched(long offset, int length) {
    assertThat(target.bytes(offset, length)).isEqualTo(new byte[length]);
  }

  @Test
  void movesFromMemory() throws Exception {
    deploy(4);
    byte[] value = inMemory(1, 7_001, 12_345);

    assertThat(run(move(memory(12_345), 1, 7_001, GRANT_MILLIS, at(TARGET, 4_099))))
        .isEqualTo(ErrorCode.OK);

    assertThat(target.bytes(4_099, 7_001)).isEqualTo(value);
    assertTargetUntouched(4_098, 1);
    assertTargetUntouched(4_099 + 7_001, 1);
    await().untilAsserted(() -> assertThat(tasks.stats().succeeded()).isEqualTo(1));
    assertThat(tasks.stats().memoryBytes()).isEqualTo(7_001);
    assertThat(tasks.stats().movesFromDisk()).isZero();
    assertThat(tasks.stats().running()).isZero();
  }

  @Test
  void copiesToSeveralTargets() throws Exception {
    Peer second = closed(new Peer(SECOND_TARGET, MIB));
    master.describe(second.info());
    deploy(4);
    byte[] value = inMemory(1, 100_000, 0);

    assertThat(
            run(move(memory(0), 1, 100_000, GRANT_MILLIS, at(TARGET, 1), at(SECOND_TARGET, 4_096))))
        .isEqualTo(ErrorCode.OK);

    assertThat(target.bytes(1, 100_000)).isEqualTo(value);
    assertThat(second.bytes(4_096, 100_000)).isEqualTo(value);
  }

  @Test
  void aCopyFailsWhenOneTargetDoes() throws Exception {
    deploy(4);
    inMemory(1, 1_000, 0);

    assertThat(run(move(memory(0), 1, 1_000, GRANT_MILLIS, at(TARGET, 0), at(GONE, 0))))
        .isEqualTo(ErrorCode.REPLICA_IS_GONE);
  }

  @Test
  void nothingToTransferIsDone() throws Exception {
    deploy(4);

    assertThat(run(move(memory(0), 1, 1_000, GRANT_MILLIS))).isEqualTo(ErrorCode.OK);
    await().untilAsserted(() -> assertThat(tasks.stats().succeeded()).isEqualTo(1));
    assertThat(tasks.stats().memoryBytes()).isZero();
  }

  @Test
  void movesFromDiskWhateverTheSize() throws Exception {
    int[] sizes = {4_096, 7_001, 12_000, 5_000, 1, 3 * MIB + 17};
    stored.write(sizes);
    deployWithDisk(4, 8 * MIB);

    for (int i = 0; i < sizes.length; i++) {
      long offset = 1 + i * 5L * MIB;
      assertThat(run(diskMove(i + 1, sizes[i], offset))).isEqualTo(ErrorCode.OK);
      assertThat(target.bytes(offset, sizes[i])).isEqualTo(StoredValues.value(i + 1, sizes[i]));
      assertTargetUntouched(offset - 1, 1);
      assertTargetUntouched(offset + sizes[i], 1);
    }

    await().untilAsserted(() -> assertThat(tasks.stats().movesFromDisk()).isEqualTo(sizes.length));
    assertThat(tasks.stats().failedLoads()).isZero();
    assertThat(tasks.stats().memoryBytes()).isZero();
  }

  @Test
  void aValueLargerThanStagingGoesInPieces() throws Exception {
    int size = 20 * MIB + 7_001;
    stored.write(size);
    deployWithDisk(4, 8 * MIB);

    assertThat(run(diskMove(1, size, 333))).isEqualTo(ErrorCode.OK);
    assertThat(target.bytes(333, size)).isEqualTo(StoredValues.value(1, size));
  }

  @Test
  void aFlippedBitInAPieceIsFound() throws Exception {
    int size = 20 * MIB + 7_001;
    stored.write(size);
    StoredValues.flipBit(stored.files().getFirst(), 9 * MIB + 5);
    deployWithDisk(4, 8 * MIB);

    assertThat(run(diskMove(1, size, 0))).isEqualTo(ErrorCode.CHECKSUM_MISMATCH);
    assertThat(tasks.stats().failedLoads()).isEqualTo(1);
  }

  @Test
  void whatIsWrongWithAFileIsToldEachTimeAndTheOthersMove() throws Exception {
    stored.write(5_000, 7_001, 12_000, 4_096);
    deployWithDisk(4, 8 * MIB);
    List<Path> files = stored.files();
    StoredValues.delete(files.get(0));
    StoredValues.truncate(files.get(1), 4_096);
    StoredValues.flipBit(files.get(2), 11_999);

    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(run(diskMove(1, 5_000, 0))).isEqualTo(ErrorCode.FILE_OPEN_FAIL);
      assertThat(run(diskMove(2, 7_001, 0))).isEqualTo(ErrorCode.FILE_READ_FAIL);
      assertThat(run(diskMove(3, 12_000, 0))).isEqualTo(ErrorCode.CHECKSUM_MISMATCH);
      assertThat(tasks.stats().failedLoads()).isEqualTo(3 * attempt);
    }
    assertThat(run(diskMove(5, 100, 0))).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(run(diskMove(4, 4_095, 0))).isEqualTo(ErrorCode.INVALID_REPLICA);
    assertTargetUntouched(0, 12_000);

    assertThat(run(diskMove(4, 4_096, 0))).isEqualTo(ErrorCode.OK);
    assertThat(target.bytes(0, 4_096)).isEqualTo(StoredValues.value(4, 4_096));
    await().untilAsserted(() -> assertThat(tasks.stats().movesFromDisk()).isEqualTo(1));
  }

  @Test
  void aSourceOfAnotherMountIsGone() throws Exception {
    stored.write(5_000);
    deployWithDisk(4, 8 * MIB);

    assertThat(
            run(
                move(
                    new ReplicaSource(ReplicaType.MEMORY, GONE, 0),
                    1,
                    10,
                    GRANT_MILLIS,
                    at(TARGET, 0))))
        .isEqualTo(ErrorCode.REPLICA_NOT_IN_LOCAL_MEMORY);
    assertThat(
            run(
                move(
                    new ReplicaSource(ReplicaType.LOCAL_DISK, GONE, 0),
                    1,
                    5_000,
                    GRANT_MILLIS,
                    at(TARGET, 0))))
        .isEqualTo(ErrorCode.REPLICA_IS_GONE);
    assertThat(
            run(
                move(
                    new ReplicaSource(ReplicaType.NOF_SSD, DISK, 0),
                    1,
                    5_000,
                    GRANT_MILLIS,
                    at(TARGET, 0))))
        .isEqualTo(ErrorCode.INVALID_PARAMS);
    assertTargetUntouched(0, 5_000);
  }

  @Test
  void aTargetThatIsGoneFailsTheTask() throws Exception {
    stored.write(5_000);
    deployWithDisk(4, 8 * MIB);
    inMemory(1, 1_000, 0);
    assertThat(run(move(memory(0), 1, 1_000, GRANT_MILLIS, at(GONE, 0))))
        .isEqualTo(ErrorCode.REPLICA_IS_GONE);

    target.withdraw();

    assertThat(run(move(memory(0), 1, 1_000, GRANT_MILLIS, at(TARGET, 0))))
        .isEqualTo(ErrorCode.TRANSFER_FAIL);
    assertThat(run(diskMove(1, 5_000, 0))).isEqualTo(ErrorCode.TRANSFER_FAIL);
    assertThat(tasks.stats().failedLoads()).as("the disk is not to blame").isZero();
    assertTargetUntouched(0, 5_000);
  }

  @Test
  void nothingIsWrittenAfterTheGrant() throws Exception {
    stored.write(5_000);
    deployWithDisk(4, 8 * MIB);
    inMemory(1, 1_000, 0);

    assertThat(run(move(memory(0), 1, 1_000, 0, at(TARGET, 0)))).isEqualTo(ErrorCode.LEASE_EXPIRED);

    assertTargetUntouched(0, 5_000);
    assertThat(tasks.stats().failed()).isEqualTo(1);
  }

  @Test
  void tasksWaitForStagingMemory() throws Exception {
    int count = 12;
    int size = 3 * MIB - 5; // two at a time fit into 8 MiB
    int[] sizes = new int[count];
    Arrays.fill(sizes, size);
    stored.write(sizes);
    deployWithDisk(count, 8 * MIB);
    List<ReplicaTask> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(diskMove(i + 1, size, i * 3L * MIB));
    }

    all.forEach(task -> master.offer(1, task));

    await()
        .atMost(30, TimeUnit.SECONDS)
        .untilAsserted(() -> assertThat(tasks.stats().movesFromDisk()).isEqualTo(count));
    for (int i = 0; i < count; i++) {
      assertThat(target.bytes(i * 3L * MIB, size)).isEqualTo(StoredValues.value(i + 1, size));
    }
  }

  /** A segment whose owner accepts connections and says nothing. */
  private SegmentInfo silent(long generation) throws Exception {
    ServerSocket server = closed(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    Peer real = closed(new Peer(generation, MIB));
    SegmentSpec spec = real.info().spec();
    SegmentEndpoint endpoint = spec.endpoints().getFirst();
    byte[] descriptor = replacePort(endpoint.descriptor(), real.transports().port(), server);
    return new SegmentInfo(
        SegmentSpec.memory(
            spec.id(),
            spec.name(),
            spec.size(),
            "",
            List.of(new SegmentEndpoint("tcp", descriptor))),
        NODE,
        generation,
        SegmentStatus.OK,
        ClientState.ACTIVE,
        0);
  }

  private static byte[] replacePort(byte[] descriptor, int port, ServerSocket server) {
    byte[] changed = descriptor.clone();
    for (int i = 0; i + 1 < changed.length; i++) {
      if ((changed[i] & 0xff) == port >>> 8 && (changed[i + 1] & 0xff) == (port & 0xff)) {
        changed[i] = (byte) (server.getLocalPort() >>> 8);
        changed[i + 1] = (byte) server.getLocalPort();
        return changed;
      }
    }
    throw new AssertionError("the descriptor holds no port");
  }

  @Test
  void aNewRegistrationDoesNotWaitForTheTasksOfTheLastOne() throws Exception {
    master.describe(silent(SECOND_TARGET));
    deploy(4);
    byte[] value = inMemory(1, 1_000, 0);
    ReplicaTask old = move(memory(0), 1, 1_000, GRANT_MILLIS, at(SECOND_TARGET, 0));
    master.offer(1, old);
    await().untilAsserted(() -> assertThat(tasks.stats().running()).isEqualTo(1));

    tasks.mounted(NODE, 2);

    assertThat(run(2, move(memory(0), 1, 1_000, GRANT_MILLIS, at(TARGET, 0))))
        .isEqualTo(ErrorCode.OK);
    assertThat(target.bytes(0, 1_000)).isEqualTo(value);
    await()
        .atMost(20, TimeUnit.SECONDS)
        .untilAsserted(() -> assertThat(tasks.stats().running()).isZero());
    assertThat(run(2, move(memory(0), 1, 1_000, GRANT_MILLIS, at(TARGET, 2_000))))
        .isEqualTo(ErrorCode.OK);
    assertThat(master.settled(old.taskId())).as("the old registration's").isEmpty();
    assertThat(master.settleCalls())
        .allSatisfy(call -> assertThat(call.incarnation()).isEqualTo(2));
  }

  @Test
  void neverMoreTasksThanSlots() throws Exception {
    master.describe(silent(SECOND_TARGET));
    deploy(2);
    inMemory(1, 1_000, 0);
    for (int i = 0; i < 2; i++) {
      master.offer(1, move(memory(0), 1, 1_000, GRANT_MILLIS, at(SECOND_TARGET, 0)));
    }
    await().untilAsserted(() -> assertThat(tasks.stats().running()).isEqualTo(2));
    ReplicaTask third = move(memory(0), 1, 1_000, GRANT_MILLIS, at(TARGET, 0));

    master.offer(1, third);

    await().untilAsserted(() -> assertThat(tasks.stats().taken()).isEqualTo(3));
    assertThat(tasks.stats().running()).as("no slot is free").isEqualTo(2);
    assertThat(master.settled(third.taskId())).isEmpty();
    await()
        .atMost(20, TimeUnit.SECONDS)
        .untilAsserted(
            () -> assertThat(master.settled(third.taskId())).containsExactly(ErrorCode.OK));
    assertThat(tasks.stats().failed()).as("the silent target's").isEqualTo(2);
  }

  @Test
  void neverMoreTasksOfAGroupThanItMayHave() throws Exception {
    master.describe(silent(SECOND_TARGET));
    deploy(8);
    inMemory(1, 1_000, 0);
    UUID group = UUID.randomUUID();
    List<ReplicaTask> slow = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      slow.add(move(group, 2, memory(0), 1, 1_000, GRANT_MILLIS, at(SECOND_TARGET, 0)));
    }
    ReplicaTask next = move(group, 2, memory(0), 1, 1_000, GRANT_MILLIS, at(TARGET, 0));
    ReplicaTask other =
        move(UUID.randomUUID(), 1, memory(0), 1, 1_000, GRANT_MILLIS, at(TARGET, 4_096));
    slow.forEach(task -> master.offer(1, task));
    master.offer(1, next);

    master.offer(1, other);

    await()
        .untilAsserted(
            () -> assertThat(master.settled(other.taskId())).containsExactly(ErrorCode.OK));
    assertThat(tasks.stats().taken()).isEqualTo(4);
    assertThat(tasks.stats().running()).isEqualTo(2);
    assertThat(master.settled(next.taskId())).as("two of its group run").isEmpty();
    await()
        .atMost(20, TimeUnit.SECONDS)
        .untilAsserted(
            () -> assertThat(master.settled(next.taskId())).containsExactly(ErrorCode.OK));
    assertThat(master.settled(slow.getFirst().taskId())).as("it begins when one ends").hasSize(1);
  }

  @Test
  void aGroupWithManyTasksDelaysNoOther() throws Exception {
    master.describe(silent(SECOND_TARGET));
    deploy(4);
    inMemory(1, 1_000, 0);
    List<ReplicaTask> many = new ArrayList<>();
    for (UUID group : List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID())) {
      for (int i = 0; i < 20; i++) {
        many.add(move(group, 1, memory(0), 1, 1_000, GRANT_MILLIS, at(SECOND_TARGET, 0)));
      }
    }
    many.forEach(task -> master.offer(1, task));
    await().untilAsserted(() -> assertThat(tasks.stats().running()).isEqualTo(3));

    assertThat(
            run(move(UUID.randomUUID(), 1, memory(0), 1, 1_000, GRANT_MILLIS, at(TARGET, 4_096))))
        .isEqualTo(ErrorCode.OK);

    assertThat(tasks.stats().running()).as("the others still do").isEqualTo(3);
  }

  @Test
  void aNodeThatEndsGivesBackWhatHasNotBegun() throws Exception {
    master.describe(silent(SECOND_TARGET));
    deploy(8);
    inMemory(1, 1_000, 0);
    UUID group = UUID.randomUUID();
    ReplicaTask slow = move(group, 1, memory(0), 1, 1_000, 3_000, at(SECOND_TARGET, 0));
    ReplicaTask next = move(group, 1, memory(0), 1, 1_000, GRANT_MILLIS, at(TARGET, 0));
    master.offer(1, slow);
    master.offer(1, next);
    await().untilAsserted(() -> assertThat(tasks.stats().taken()).isEqualTo(2));

    node.vertx().undeploy(tasks.deploymentID()).await(30, TimeUnit.SECONDS);
    tasks = null;

    assertThat(master.settled(next.taskId()))
        .containsExactly(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    assertThat(master.settled(slow.taskId())).hasSize(1);
  }

  @Test
  void tasksAreSettledUntilTheMasterAnswers() throws Exception {
    deploy(4);
    inMemory(1, 1_000, 0);
    master.failSettles(2);
    ReplicaTask task = move(memory(0), 1, 1_000, GRANT_MILLIS, at(TARGET, 0));

    assertThat(run(task)).isEqualTo(ErrorCode.OK);

    assertThat(master.settleCalls()).hasSize(3);
    await().untilAsserted(() -> assertThat(tasks.stats().succeeded()).isEqualTo(1));
  }

  @Test
  void tasksAreSettledTogetherWhileOthersOfTheirGroupWait() throws Exception {
    deploy(4);
    inMemory(1, 1_000, 0);
    UUID group = UUID.randomUUID();
    List<ReplicaTask> many = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      many.add(move(group, 1, memory(0), 1, 1_000, GRANT_MILLIS, at(TARGET, i * 1_000L)));
    }
    synchronized (master) {
      many.forEach(task -> master.offer(1, task));
    }

    await().untilAsserted(() -> assertThat(master.settled()).hasSize(many.size()));

    assertThat(master.settled().stream().map(SettledTask::taskId))
        .as("in the order in which they ended")
        .containsExactlyElementsOf(many.stream().map(ReplicaTask::taskId).toList());
    assertThat(master.settleCalls()).hasSizeLessThan(many.size());
  }

  @Test
  void whatTheMasterGaveUpIsNoSuccess() throws Exception {
    stored.write(5_000);
    deployWithDisk(4, 8 * MIB);
    master.judge(task -> ErrorCode.TASK_NOT_FOUND);

    run(diskMove(1, 5_000, 0));

    await().untilAsserted(() -> assertThat(tasks.stats().unsettled()).isEqualTo(1));
    assertThat(tasks.stats().succeeded()).isZero();
    assertThat(tasks.stats().movesFromDisk()).isZero();
    assertThat(master.settled()).hasSize(1);
  }

  private static PromotionTask promotion(long version, long size, long grantMillis) {
    return new PromotionTask(object(version, size), at(TARGET, version * MIB), grantMillis);
  }

  private SettledPromotion promoted(DiskWork work, long lateMillis) {
    int before = master.promotions().size();
    master.offerLate(work, lateMillis);
    await().atMost(30, TimeUnit.SECONDS).until(() -> master.promotions().size() > before);
    return master.promotions().get(before);
  }

  @Test
  void aPromotionIsNotWrittenWhenItsGrantEndedBeforeTheAnswerWasRead() throws Exception {
    stored.write(5_000, 7_001);
    deployWithDisk(1, 8 * MIB);

    DiskWork late = new DiskWork(List.of(), List.of(promotion(1, 5_000, 500)), List.of(), 0);
    assertThat(promoted(late, 1_000).written()).isFalse();
    assertTargetUntouched(MIB, 5_000);

    // It was read in time; the call had waited for most of the time before it was handed out.
    DiskWork waited =
        new DiskWork(List.of(), List.of(promotion(2, 7_001, 2_900)), List.of(), 3_000);
    assertThat(promoted(waited, 3_000).written()).isTrue();
    assertThat(target.bytes(2 * MIB, 7_001)).isEqualTo(StoredValues.value(2, 7_001));
  }

  @Test
  void aTimeThatTheMasterCannotHaveWaitedIsNotBelieved() throws Exception {
    stored.write(5_000);
    deployWithDisk(1, 8 * MIB);

    DiskWork wrong = new DiskWork(List.of(), List.of(promotion(1, 5_000, 0)), List.of(), 3_600_000);
    assertThat(promoted(wrong, 1).written()).isFalse();
    assertTargetUntouched(MIB, 5_000);
  }

  private SettledOffload offloaded(DiskWork work, long lateMillis) {
    int before = master.offloads().size();
    master.offerLate(work, lateMillis);
    await().atMost(30, TimeUnit.SECONDS).until(() -> master.offloads().size() > before);
    return master.offloads().get(before);
  }

  @Test
  void anOffloadIsNotKeptWhenItsBytesMayHaveGoneBeforeTheAnswerWasRead() throws Exception {
    stored.write(1);
    deployWithDisk(1, 8 * MIB);
    inMemory(11, 5_000, 0);
    OffloadTask task = new OffloadTask(object(11, 5_000), 1, SOURCE, 0, 500);
    DiskWork late = new DiskWork(List.of(task), List.of(), List.of(), 0);
    assertThat(offloaded(late, 1_000).stored()).isFalse();

    OffloadTask longer = new OffloadTask(object(11, 5_000), 1, SOURCE, 0, 2_900);
    DiskWork waited = new DiskWork(List.of(longer), List.of(), List.of(), 3_000);
    assertThat(offloaded(waited, 3_000).stored()).isTrue();
  }
}
