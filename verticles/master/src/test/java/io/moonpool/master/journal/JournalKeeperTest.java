package io.moonpool.master.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.master.loop.MasterLoops;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two disks are absent, the second one since earlier. */
class JournalKeeperTest {
  private static final UUID NODE = new UUID(1, 1);
  private static final long NEXT_SEQUENCE = 77;

  private final Loops metadata = new Loops();
  private MasterLoops loops;

  /** Metadata loops that keep as much as a test says; giving a disk up changes nothing there. */
  private static final class Loops implements JournalKeeper.Metadata {
    volatile long floors;
    volatile long patterns;
    final List<Integer> voided = new CopyOnWriteArrayList<>();

    @Override
    public Future<Long> nextSequence() {
      return Future.succeededFuture(NEXT_SEQUENCE);
    }

    @Override
    public Future<Void> voidDisk(int disk, long deadBelow) {
      assertThat(deadBelow).isEqualTo(NEXT_SEQUENCE * 1024);
      voided.add(disk);
      return Future.succeededFuture();
    }

    @Override
    public long diskFloors() {
      return floors;
    }

    @Override
    public long diskPatterns() {
      return patterns;
    }
  }

  @BeforeEach
  void start() throws Exception {
    loops = MasterLoops.build("test", 1, 64, new VertxOptions(), UnaryOperator.identity());
    JournalState remembered =
        JournalStates.of(
            List.of(
                new JournalRecord.DiskMounted(1, new UUID(2, 1), NODE, "first"),
                new JournalRecord.DiskMounted(2, new UUID(2, 2), NODE, "second"),
                new JournalRecord.DiskAbsent(2, 500),
                new JournalRecord.DiskAbsent(1, 600)));
    Journal journal = new MemoryJournal();
    KnownDisks disks = new KnownDisks(remembered, journal, loops.control(), () -> 1_000);
    JournalKeeper keeper = new JournalKeeper(journal, disks, metadata, 0, 4_096, 1_000, 10, 3);
    loops
        .deploy(loops.control(), keeper)
        .toCompletionStage()
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() throws Exception {
    loops.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private void awaitVoided(Integer... disks) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(metadata.voided).containsExactly(disks));
  }

  @Test
  void tooManyRemovalsByPatternGiveUpTheDiskThatIsAbsentTheLongest() {
    metadata.floors = 10;
    metadata.patterns = 4;
    awaitVoided(2, 1);
  }

  @Test
  void tooManyFloorsDoTheSame() {
    metadata.floors = 11;
    awaitVoided(2, 1);
  }
}
