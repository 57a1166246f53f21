package io.moonpool.master.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileJournalTest {
  private static final long SMALL = 4 << 10;

  private static FileJournal.Opened open(RecordingFiles files) {
    return FileJournal.open(files, 7, 0, SMALL, 1);
  }

  private static void done(Future<Void> future) throws Exception {
    future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private static JournalRecord floor(int disk, long hash, long version) {
    Floors floors = new Floors(1);
    floors.add(hash, version);
    return new JournalRecord.FloorsAdded(disk, floors);
  }

  private static JournalRecord mounted(int disk) {
    return new JournalRecord.DiskMounted(disk, new UUID(0, disk), new UUID(1, disk), "d" + disk);
  }

  @Test
  void whatWasAppendedIsThereAfterwards(@TempDir Path directory) throws Exception {
    Path journal = directory.resolve("deep/journal");
    FileJournal.Opened first = FileJournal.open(journal, 100, 5);
    assertThat(first.epoch()).isEqualTo(100);
    done(first.journal().append(mounted(1)));
    done(first.journal().append(floor(0, 11, 22)));
    done(first.journal().append(floor(1, 33, 44)));
    first.journal().close();
    assertThat(first.journal().append(mounted(2)).failed()).isTrue();
    FileJournal.Opened second = FileJournal.open(journal, 100, 6);
    assertThat(second.epoch()).isEqualTo(100 + FileJournal.EPOCHS_AT_ONCE);
    List<String> floors = new ArrayList<>();
    second
        .state()
        .forEachFloor((disk, hash, version) -> floors.add(disk + " " + hash + " " + version));
    assertThat(floors).containsExactlyInAnyOrder("0 11 22", "1 33 44");
    assertThat(second.state().disks())
        .containsExactly(
            new JournaledDisk(1, new UUID(0, 1), new UUID(1, 1), "d1", false, 6, false, 0));
    second.journal().close();
    FileJournal.Opened third = FileJournal.open(journal, 1_000_000, 6);
    assertThat(third.epoch()).as("the clock's, when it is later").isEqualTo(1_000_000);
    third.journal().close();
  }

  @Test
  void oneProcessHasTheDirectory(@TempDir Path directory) {
    FileJournal.Opened first = FileJournal.open(directory, 1, 0);
    assertThatThrownBy(() -> FileJournal.open(directory, 1, 0))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_LOCK_FAIL))
        .hasMessageContaining(Long.toString(ProcessHandle.current().pid()))
        .hasMessageContaining("data_dir");
    first.journal().close();
    FileJournal.open(directory, 1, 0).journal().close();
  }

  @Test
  void aDirectoryThatIsAFileIsRefused(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "x");
    assertThatThrownBy(() -> FileJournal.open(file.resolve("journal"), 1, 0))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("data_dir");
  }

  /** The power goes before every step that there is, and the disk keeps any part of the rest. */
  @Test
  void aPowerCutLosesNothingThatWasAcknowledged() throws Exception {
    for (int seed = 0; seed < 4; seed++) {
      int steps = run(seed, Integer.MAX_VALUE);
      assertThat(steps).isGreaterThan(100);
      for (int cut = 1; cut < steps; cut++) {
        run(seed, cut);
      }
    }
  }

  private static int run(int seed, int cut) throws Exception {
    RecordingFiles files = new RecordingFiles();
    files.cutAt(cut);
    List<JournalRecord> appended = new ArrayList<>();
    List<Integer> acknowledged = new ArrayList<>();
    FileJournal.Opened opened;
    try {
      opened = open(files);
    } catch (StoreException e) {
      check(files, seed, cut, appended, 0, false);
      return files.steps();
    }
    RandomRecords random = new RandomRecords(seed);
    try {
      for (int i = 0; i < 100; i++) {
        List<JournalRecord> batch = new ArrayList<>();
        for (int j = 0; j <= i % 3; j++) {
          batch.add(random.next());
        }
        appended.addAll(batch);
        done(opened.journal().append(batch));
        acknowledged.add(appended.size());
      }
    } catch (java.util.concurrent.ExecutionException e) {
      assertThat(e.getCause()).isInstanceOf(StoreException.class);
    }
    opened.journal().close();
    check(files, seed, cut, appended, acknowledged.isEmpty() ? 0 : acknowledged.getLast(), true);
    return files.steps();
  }

  private static void check(
      RecordingFiles files,
      int seed,
      int cut,
      List<JournalRecord> appended,
      int acknowledged,
      boolean started)
      throws Exception {
    for (int i = 0; i < 4; i++) {
      Random random = new Random(seed * 1_000_003L + cut * 17L + i);
      RecordingFiles after = files.afterPowerCut(random);
      FileJournal.Opened opened = FileJournal.open(after, 7, 3, SMALL, 1);
      boolean found = false;
      AssertionError last = null;
      for (int prefix = acknowledged; prefix <= appended.size() && !found; prefix++) {
        NaiveJournal naive = new NaiveJournal();
        naive.apply(new JournalRecord.EpochStarted(7, 7 + FileJournal.EPOCHS_AT_ONCE, 0));
        appended.subList(0, prefix).forEach(naive::apply);
        naive.apply(
            new JournalRecord.EpochStarted(
                opened.epoch(), opened.epoch() + FileJournal.EPOCHS_AT_ONCE, 3));
        if (!started) {
          naive.endEpoch = opened.state().endEpoch();
        }
        try {
          naive.check(opened.state());
          found = true;
        } catch (AssertionError e) {
          last = e;
        }
      }
      if (!found) {
        throw new AssertionError("seed " + seed + ", cut before step " + cut, last);
      }
      assertThat(opened.epoch()).isGreaterThanOrEqualTo(started ? 8 : 7);
      done(opened.journal().append(mounted(99)));
      opened.journal().close();
      FileJournal.Opened again = FileJournal.open(after, 7, 3, SMALL, 1);
      assertThat(again.state().lastDisk()).isEqualTo(99);
      again.journal().close();
    }
  }

  @Test
  void aFailureIsAnsweredAndOvercome() throws Exception {
    RecordingFiles files = new RecordingFiles();
    FileJournal journal = open(files).journal();
    done(journal.append(mounted(1)));
    files.failing(true);
    Future<Void> lost = journal.append(floor(0, 5, 6));
    await().until(lost::isComplete);
    assertThat(lost.cause())
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PERSISTENT_FAIL))
        .hasMessageContaining("No space left");
    assertThat(journal.isFailed()).isTrue();
    assertThat(journal.failure()).contains("memory/");
    Future<Void> refused = journal.append(floor(0, 7, 8));
    await().until(refused::isComplete);
    assertThat(refused.failed()).isTrue();
    files.failing(false);
    await().until(() -> !journal.isFailed());
    done(journal.append(floor(0, 9, 10)));
    journal.close();
    RecordingFiles after = files.afterPowerCut(new Random(1));
    FileJournal.Opened opened = open(after);
    List<Long> hashes = new ArrayList<>();
    opened.state().forEachFloor((disk, hash, version) -> hashes.add(hash));
    assertThat(hashes).as("facts of failed appends, too").containsExactly(5L, 7L, 9L);
    opened.journal().close();
  }

  @Test
  void theFileStaysAFewTimesAsLargeAsWhatItSays() throws Exception {
    RecordingFiles files = new RecordingFiles();
    FileJournal journal = open(files).journal();
    done(journal.append(mounted(1)));
    for (int i = 1; i < 3000; i++) {
      journal.append(floor(0, i % 5 + 1, i));
    }
    done(journal.append(floor(0, 1, 9000)));
    journal.close();
    assertThat(journal.stats().snapshots()).isGreaterThan(1);
    assertThat(files.list()).hasSize(1);
    assertThat(files.length(files.list().getFirst())).isLessThan(200_000);
    FileJournal.Opened opened = open(files);
    assertThat(opened.state().floors()).isEqualTo(5);
    opened.journal().close();
  }

  @Test
  void damageInTheMiddleIsRefusedAndATornEndIsNot() throws Exception {
    RecordingFiles files = new RecordingFiles();
    FileJournal journal = open(files).journal();
    done(journal.append(mounted(1)));
    for (int i = 1; i < 20; i++) {
      done(journal.append(floor(0, i, i)));
    }
    journal.close();
    String name = files.list().getFirst();
    int length = files.length(name);
    for (int at = 0; at < length; at++) {
      RecordingFiles damaged = files.afterPowerCut(new Random(0));
      damaged.flip(name, at);
      boolean inLast = at >= length - (JournalFormat.GROUP_HEADER_BYTES + 25);
      try {
        FileJournal.Opened opened = open(damaged);
        assertThat(inLast).as("damage at %d of %d was not seen", at, length).isTrue();
        assertThat(opened.state().floors()).isEqualTo(18);
        opened.journal().close();
      } catch (StoreException e) {
        assertThat(inLast).isFalse();
        assertThat(e.code()).isEqualTo(ErrorCode.FILE_READ_FAIL);
        assertThat(e).hasMessageContaining(name).hasMessageContaining("offset");
      }
    }
  }

  @Test
  void aMillionFloorsAreReadQuickly(@TempDir Path directory) throws Exception {
    FileJournal journal = FileJournal.open(directory, 1, 0).journal();
    journal.append(mounted(1));
    Random random = new Random(3);
    for (int i = 0; i < 1000; i++) {
      Floors floors = new Floors(1000);
      for (int j = 0; j < 1000; j++) {
        floors.add(random.nextLong(), 1 + i);
      }
      journal.append(new JournalRecord.FloorsAdded(0, floors));
    }
    done(journal.append(floor(0, 1, 1)));
    journal.close();
    long startedNanos = System.nanoTime();
    FileJournal.Opened opened = FileJournal.open(directory, 1, 0);
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
    assertThat(opened.state().floors()).isEqualTo(1_000_001);
    opened.journal().close();
    System.out.printf(
        "journal of 1,000,001 floors: %d bytes, opened in %d ms%n",
        opened.journal().stats().bytes(), millis);
  }
}
