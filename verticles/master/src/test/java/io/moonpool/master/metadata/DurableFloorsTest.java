package io.moonpool.master.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.moonpool.core.allocation.AllocationStrategy;
import io.moonpool.core.index.KeyHash;
import io.moonpool.core.index.ObjectIndex;
import io.moonpool.core.segment.SegmentEvent;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.core.segment.SegmentRegistry;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.journal.JournalState;
import io.moonpool.master.loop.MasterLoops;
import io.moonpool.model.Checksum;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.call.RemoveObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Metadata loops over a journal that does what a test says, while a disk is being scanned. */
class DurableFloorsTest {
  private static final UUID WRITER = new UUID(1, 2);
  private static final UUID NODE = new UUID(3, 4);

  private final HeldJournal journal = new HeldJournal();
  private MasterLoops loops;
  private final SegmentRegistry registry = new SegmentRegistry(5, AllocationStrategy.RANDOM);
  private MetadataProxy metadata;

  @BeforeEach
  void start() throws Exception {
    loops = MasterLoops.build("test", 2, 1024, new VertxOptions(), UnaryOperator.identity());
    long startedNanos = System.nanoTime();
    metadata =
        new MetadataProxy(
            MasterConfig.builder().ephemeral().build(),
            loops.metadata(),
            () -> (System.nanoTime() - startedNanos) / 1_000_000,
            registry.placement(),
            registry.usage(),
            generation -> null,
            1000,
            journal,
            new JournalState(),
            disk -> {});
    for (MetadataVerticle owner : metadata.verticles()) {
      done(loops.deploy(owner.loop(), owner));
    }
    SegmentSpec memory = SegmentSpec.memory(new UUID(0, 1), "m", 1 << 20, "", List.of());
    SegmentSpec disk =
        new SegmentSpec(new UUID(0, 2), "d", 1 << 20, "", List.of(), SegmentKind.LOCAL_DISK);
    done(metadata.apply(registry.mount(NODE, ClientState.ACTIVE, List.of(memory)).changes()));
    done(metadata.apply(registry.mountDisk(NODE, ClientState.ACTIVE, disk, 1).changes()));
  }

  @AfterEach
  void stop() throws Exception {
    done(loops.close());
  }

  private static <T> T done(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private static KeyBatch keys(String... keys) {
    return KeyBatch.of(List.of(keys));
  }

  private Future<List<Outcome<Void>>> put(String key) throws Exception {
    StartObjects start =
        new StartObjects(WRITER, "", keys(key), new long[] {100}, ReplicateConfig.DEFAULT);
    StartedObject started =
        done(metadata.putStart(start, io.moonpool.model.ClientProtocol.MOONPOOL)).getFirst().get();
    return metadata.end(
        new EndObjects(
            WRITER, "", keys(key), new long[] {started.version()}, List.of(Checksum.NONE)));
  }

  private void putDone(String key) throws Exception {
    Future<List<Outcome<Void>>> put = put(key);
    await().until(() -> journal.waiting() > 0);
    journal.release();
    assertThat(done(put).getFirst().ok()).isTrue();
  }

  private Future<List<Outcome<Void>>> remove(String... keys) {
    return metadata.remove(new RemoveObjects("", keys(keys), true));
  }

  private Future<List<Outcome<LocatedObject>>> locate(String key) {
    return metadata.locate(new NamedObjects("", keys(key)));
  }

  @Test
  void answersWaitUntilFloorsAreDurable() throws Exception {
    Future<List<Outcome<Void>>> put = put("a");
    await().until(() -> journal.waiting() > 0);
    Future<List<Outcome<LocatedObject>>> reader = locate("a");
    assertThat(done(locate("other")).getFirst().code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(put.isComplete()).isFalse();
    assertThat(reader.isComplete()).as("a reader saw what may still be forgotten").isFalse();
    journal.release();
    assertThat(done(put).getFirst().ok()).isTrue();
    assertThat(done(reader).getFirst().ok()).isTrue();
    Future<List<Outcome<Void>>> removed = remove("a");
    await().until(() -> journal.waiting() > 0);
    Future<List<Outcome<Void>>> again = remove("a");
    Future<List<Outcome<Boolean>>> exists = metadata.exists(new NamedObjects("", keys("a")));
    await().until(() -> journal.waiting() > 1);
    assertThat(removed.isComplete() || again.isComplete() || exists.isComplete()).isFalse();
    journal.release();
    assertThat(done(removed).getFirst().ok()).isTrue();
    assertThat(done(again).getFirst().code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(done(exists).getFirst().get()).isFalse();
  }

  @Test
  void aWholeBatchIsOneAppendALoop() throws Exception {
    String[] all = IntStream.range(0, 20).mapToObj(i -> "k" + i).toArray(String[]::new);
    for (String key : all) {
      putDone(key);
    }
    Future<List<Outcome<Void>>> removed = remove(all);
    await().until(() -> journal.waiting() == 2);
    journal.release();
    assertThat(done(removed)).hasSize(20).allMatch(Outcome::ok);
    assertThat(journal.waiting()).isZero();
  }

  @Test
  void removeMatchingWaitsToo() throws Exception {
    putDone("a");
    Future<Long> removed = metadata.removeMatching(new RemoveMatching("", "a", true), () -> false);
    await().until(() -> journal.waiting() > 0);
    assertThat(removed.isComplete()).isFalse();
    // One loop after the other leaves a floor for the disk that is not known yet.
    await()
        .until(
            () -> {
              journal.release();
              return removed.isComplete();
            });
    assertThat(done(removed)).isEqualTo(1);
  }

  private DiskObject onDisk(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    int shard = KeyHash.shard(KeyHash.of(0, bytes, 0, bytes.length));
    // Written before anything that happens here.
    long version = ObjectIndex.SHARDS + shard;
    return new DiskObject(
        "", bytes, version, 100, Checksum.NONE, ObjectDataType.UNKNOWN, false, "");
  }

  private void removeByPatterns(int from, int end) {
    List<Future<Long>> removals =
        IntStream.range(from, end)
            .mapToObj(i -> new RemoveMatching("", "x" + i + "y", true))
            .map(request -> metadata.removeMatching(request, () -> false))
            .toList();
    await()
        .until(
            () -> {
              journal.release();
              return removals.stream().allMatch(Future::succeeded);
            });
  }

  @Test
  void recordsThatAreComparedWithManyPatternsDoNotHoldALoop() throws Exception {
    removeByPatterns(0, 400);
    removeByPatterns(400, 800);
    assertThat(metadata.diskPatterns()).isEqualTo(800);
    SegmentMount mount =
        registry.mountOf(registry.findById(new UUID(0, 2)).orElseThrow().generation());
    List<DiskObject> records =
        IntStream.range(0, 800)
            .mapToObj(i -> onDisk("k".repeat(60) + "x" + (799 + i) + "y"))
            .toList();
    done(metadata.disks().report(mount, records.subList(1, 30))); // while it is compiled
    loops.all().forEach(loop -> loop.meter().reset());
    List<Outcome<Void>> reported = done(metadata.disks().report(mount, records));
    assertThat(reported.getFirst().code())
        .as("the last pattern means it")
        .isEqualTo(ErrorCode.INVALID_VERSION);
    assertThat(reported.subList(1, reported.size())).allMatch(Outcome::ok);
    assertThat(loops.all()).allMatch(loop -> loop.meter().longHandlers() == 0, "none above 10 ms");
  }

  @Test
  void aFailureIsAnsweredAndNothingMoreIsDoneUntilItIsOver() throws Exception {
    putDone("a");
    putDone("b");
    Future<List<Outcome<Void>>> removed = remove("a");
    await().until(() -> journal.waiting() > 0);
    journal.fail();
    assertThat(done(removed).getFirst().code()).isEqualTo(ErrorCode.PERSISTENT_FAIL);
    assertThat(done(locate("a")).getFirst().code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(done(remove("a")).getFirst().code())
        .as("done, but a crash may undo it")
        .isEqualTo(ErrorCode.PERSISTENT_FAIL);
    assertThat(done(remove("b")).getFirst().code()).isEqualTo(ErrorCode.PERSISTENT_FAIL);
    assertThat(done(locate("b")).getFirst().ok()).as("refused, it is untouched").isTrue();
    assertThatThrownBy(
            () -> done(metadata.removeMatching(new RemoveMatching("", "b", true), () -> false)))
        .hasMessageContaining("PERSISTENT_FAIL")
        .hasMessageContaining("no space left");
    assertThat(done(locate("b")).getFirst().ok()).isTrue();
    journal.recover();
    Future<List<Outcome<Void>>> again = remove("b");
    await().until(() -> journal.waiting() > 0);
    journal.release();
    assertThat(done(again).getFirst().ok()).isTrue();
    Future<List<Outcome<Void>>> gone = remove("a");
    await()
        .until(
            () -> {
              journal.release();
              return gone.isComplete();
            });
    assertThat(done(gone).getFirst().code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
  }

  /** Opens the lanes of a job that empties the segment of that number. */
  private UUID drain(int segment) throws Exception {
    UUID id = new UUID(0, segment);
    done(metadata.apply(registry.drain(id, SegmentEvent.DRAIN).changes()));
    SegmentMount source = registry.mountOf(registry.findById(id).orElseThrow().generation());
    UUID job = new UUID(7, segment);
    done(metadata.drains().openLane(new LaneSpec(job, List.of(source), List.of(), 60_000)));
    return job;
  }

  private List<Future<LaneBatch>> take(UUID job, int units) {
    return IntStream.range(0, metadata.drains().loops())
        .mapToObj(loop -> metadata.drains().take(loop, job, units, Long.MAX_VALUE))
        .toList();
  }

  @Test
  void unitsAreTakenWhileTheFloorsOfOthersAreMadeDurable() throws Exception {
    String[] others = IntStream.range(0, 20).mapToObj(i -> "other-" + i).toArray(String[]::new);
    for (String key : others) {
      putDone(key);
    }
    putDone("unit");
    SegmentSpec target = SegmentSpec.memory(new UUID(0, 3), "t", 1 << 20, "", List.of());
    done(metadata.apply(registry.mount(NODE, ClientState.ACTIVE, List.of(target)).changes()));
    UUID job = drain(1);
    Future<List<Outcome<Void>>> removed = remove(others);
    await().until(() -> journal.waiting() == 2);
    int started = 0;
    for (Future<LaneBatch> taken : take(job, 4)) {
      started += done(taken).started().size();
    }
    assertThat(started).isEqualTo(1);
    assertThat(removed.isComplete()).as("its floors are on their way").isFalse();
    journal.release();
    assertThat(done(removed)).allMatch(Outcome::ok);
  }

  @Test
  void unitsThatAreGivenUpWaitForTheirOwnFloors() throws Exception {
    putDone("a");
    long version = done(locate("a")).getFirst().get().version();
    SegmentMount mount =
        registry.mountOf(registry.findById(new UUID(0, 2)).orElseThrow().generation());
    DiskObject onDisk =
        new DiskObject(
            "",
            "a".getBytes(StandardCharsets.UTF_8),
            version,
            100,
            Checksum.NONE,
            ObjectDataType.UNKNOWN,
            false,
            "");
    assertThat(done(metadata.disks().report(mount, List.of(onDisk))).getFirst().ok()).isTrue();
    done(metadata.disks().completeScan(mount));
    registry.scanned(mount.generation());
    List<Future<LaneBatch>> taken = take(drain(2), 4);
    await().until(() -> journal.waiting() > 0);
    assertThat(taken.stream().filter(Future::isComplete)).as("the other loop's").hasSize(1);
    journal.release();
    long dropped = 0;
    for (Future<LaneBatch> each : taken) {
      dropped += done(each).droppedUnits();
    }
    assertThat(dropped).isEqualTo(1);
  }
}
