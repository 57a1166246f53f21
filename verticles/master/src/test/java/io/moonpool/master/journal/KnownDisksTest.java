package io.moonpool.master.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.master.loop.MasterLoop;
import io.moonpool.master.loop.MasterLoops;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KnownDisksTest {
  private static final UUID NODE = new UUID(1, 1);
  private static final UUID FIRST = new UUID(2, 1);
  private static final UUID SECOND = new UUID(2, 2);

  private static final class Recording implements Journal {
    final List<JournalRecord> records = new ArrayList<>();
    boolean failed;

    @Override
    public Future<Void> append(List<? extends JournalRecord> appended) {
      records.addAll(appended);
      return failed
          ? Future.failedFuture(new StoreException(ErrorCode.PERSISTENT_FAIL, "full"))
          : Future.succeededFuture();
    }

    @Override
    public boolean isFailed() {
      return failed;
    }

    @Override
    public String failure() {
      return failed ? "full" : "";
    }

    @Override
    public boolean isDurable() {
      return true;
    }

    @Override
    public JournalStats stats() {
      return JournalStats.NONE;
    }

    @Override
    public void close() {}
  }

  private final Recording journal = new Recording();
  private MasterLoops loops;
  private KnownDisks disks;
  private volatile long wall = 1000;

  @BeforeEach
  void start() {
    loops = MasterLoops.build("test", 1, 64, new VertxOptions(), UnaryOperator.identity());
    JournalState remembered = new JournalState();
    remembered.apply(new JournalRecord.DiskMounted(7, FIRST, NODE, "first"));
    remembered.apply(new JournalRecord.EpochStarted(1, 2, 500));
    disks = new KnownDisks(remembered, journal, loops.control(), () -> wall);
  }

  @AfterEach
  void stop() throws Exception {
    done(loops.close());
  }

  private static <T> T done(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private <T> Future<T> on(Supplier<Future<T>> body) {
    MasterLoop loop = loops.control();
    return loop.call(body);
  }

  private int mount(UUID disk) throws Exception {
    return done(on(() -> disks.mounting(disk, NODE, "d")));
  }

  private void absent(int number) throws Exception {
    done(
        on(
            () -> {
              disks.absent(number);
              return Future.succeededFuture();
            }));
  }

  private Optional<Integer> nextToVoid(boolean tooMany) throws Exception {
    return done(on(() -> Future.succeededFuture(disks.nextToVoid(100, tooMany))));
  }

  @Test
  void numbersAreKeptAndNeverUsedTwice() throws Exception {
    assertThat(mount(FIRST)).isEqualTo(7);
    assertThat(mount(SECOND)).isEqualTo(8);
    assertThat(mount(SECOND)).as("again, without another record").isEqualTo(8);
    assertThat(journal.records)
        .containsExactly(
            new JournalRecord.DiskMounted(7, FIRST, NODE, "d"),
            new JournalRecord.DiskMounted(8, SECOND, NODE, "d"));
    absent(8);
    absent(8);
    done(on(() -> disks.scanned(8)));
    assertThat(journal.records)
        .as("what is absent is not scanned")
        .hasSize(3)
        .endsWith(new JournalRecord.DiskAbsent(8, 1000));
    done(on(() -> disks.scanned(7)));
    assertThat(journal.records).endsWith(new JournalRecord.DiskScanned(7));
  }

  @Test
  void aMountThatIsNotDurableDidNotHappen() {
    journal.failed = true;
    assertThat(on(() -> disks.mounting(SECOND, NODE, "d")))
        .satisfies(
            mount ->
                assertThat(mount.toCompletionStage().toCompletableFuture())
                    .failsWithin(java.time.Duration.ofSeconds(10)));
    journal.failed = false;
    assertThat(on(() -> disks.mounting(SECOND, NODE, "d")).toCompletionStage())
        .succeedsWithin(java.time.Duration.ofSeconds(10))
        .isEqualTo(8);
    assertThat(journal.records.stream().filter(r -> r instanceof JournalRecord.DiskMounted))
        .hasSize(2);
  }

  @Test
  void theDiskThatIsAwayTheLongestIsGivenUp() throws Exception {
    mount(SECOND);
    absent(8);
    assertThat(nextToVoid(false)).as("absent since the master started at 500").contains(7);
    assertThat(done(on(() -> disks.makeVoid(7, 5000)))).isTrue();
    assertThat(journal.records).endsWith(new JournalRecord.DiskVoided(7, 5000));
    assertThat(nextToVoid(false)).isEmpty();
    assertThat(nextToVoid(true)).contains(8);
    wall = 1100;
    assertThat(nextToVoid(false)).contains(8);
    mount(SECOND);
    assertThat(done(on(() -> disks.makeVoid(8, 5000)))).as("it is back").isFalse();
    assertThat(nextToVoid(true)).isEmpty();
  }
}
