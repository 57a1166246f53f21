package io.moonpool.master.journal;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal in a directory: one file, which begins with a snapshot and grows by groups of records.
 *
 * <p><b>Group commit.</b> One thread writes. It takes all that waits, writes it at once, forces the
 * file, and completes those who waited. So many appends cost one force, and an append waits for two
 * forces at most.
 *
 * <p><b>Compaction.</b> When the file is a few times as large as its snapshot was, the state is
 * written to a new file under another name, forced, renamed and the names forced; the old one goes.
 *
 * <p><b>Failure.</b> After an error of a write or force nobody knows what the file holds, and
 * writing on would not make it better. So appends fail at once, while the thread tries every second
 * to write everything it knows to a new file. When that is durable, the journal goes on in it, and
 * the records of the failed appends are in it, too.
 */
public final class FileJournal implements Journal {
  private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);

  /** Epochs that a start has for its versions, at 4,096 of each shard an epoch. */
  public static final int EPOCHS_AT_ONCE = 4096;

  private static final int MAX_GROUP_BYTES = 8 << 20;
  private static final int SNAPSHOT_GROUP_BYTES = 1 << 20;
  private static final long MIN_COMPACTION_BYTES = 16 << 20;
  private static final int COMPACTION_FACTOR = 4;
  private static final long PROBE_MILLIS = 1000;
  private static final String TEMPORARY = "snapshot.tmp";

  private record Append(List<? extends JournalRecord> records, Promise<Void> durable) {}

  private static final Append CLOSE = new Append(List.of(), Promise.promise());

  private final JournalFiles files;
  private final long minCompactionBytes;
  private final long probeMillis;
  private final JournalState state;
  private final BlockingQueue<Append> queue = new LinkedBlockingQueue<>();
  private final Thread writer;

  private long number;
  private JournalFiles.@Nullable Appender appender;
  private ByteBuffer group = ByteBuffer.allocateDirect(1 << 16);
  private long sequence;
  private long bytes;
  private long compactAtBytes;

  /** Set under the queue's monitor; nothing is added to the queue afterwards. */
  private boolean closed;

  private volatile boolean failed;
  private volatile String failure = "";
  private volatile JournalStats stats = JournalStats.NONE;
  private long records;
  private long groups;
  private long failures;
  private long snapshots;

  /** A journal and what it says. */
  public record Opened(FileJournal journal, JournalState state, long epoch) {}

  private FileJournal(JournalFiles files, long minCompactionBytes, long probeMillis) {
    this.files = files;
    this.minCompactionBytes = minCompactionBytes;
    this.probeMillis = probeMillis;
    this.state = new JournalState();
    this.writer = Thread.ofPlatform().name("moonpool-journal").daemon().unstarted(this::run);
  }

  /**
   * Opens the journal of a directory, or begins one, and records the start of a master. Blocks: for
   * a worker.
   *
   * @param clockEpoch the epoch that the wall clock gives; the start's is as high at least, and
   *     higher than any whose versions an earlier start may have used
   * @param wallMillis now, by the wall clock
   * @return the state may be read until the first append
   * @throws StoreException when another process has the directory, or when it cannot be used, or
   *     when the journal is damaged; its message says what to do
   */
  public static Opened open(Path directory, long clockEpoch, long wallMillis) {
    try {
      return open(
          DirectoryFiles.open(directory),
          clockEpoch,
          wallMillis,
          MIN_COMPACTION_BYTES,
          PROBE_MILLIS);
    } catch (IOException e) {
      throw unusable(directory.toAbsolutePath().toString(), e);
    }
  }

  static Opened open(
      JournalFiles files,
      long clockEpoch,
      long wallMillis,
      long minCompactionBytes,
      long probeMillis) {
    FileJournal journal = new FileJournal(files, minCompactionBytes, probeMillis);
    boolean opened = false;
    try {
      journal.replay();
      long epoch = Math.max(clockEpoch, journal.state.endEpoch());
      journal.writeGroup(
          List.of(
              new Append(
                  List.of(
                      new JournalRecord.EpochStarted(epoch, epoch + EPOCHS_AT_ONCE, wallMillis)),
                  Promise.promise())));
      journal.writer.start();
      opened = true;
      return new Opened(journal, journal.state, epoch);
    } catch (IOException e) {
      throw unusable(files.describe(""), e);
    } finally {
      if (!opened) {
        journal.closeFiles();
      }
    }
  }

  private static StoreException unusable(String where, IOException e) {
    return new StoreException(
        ErrorCode.FILE_OPEN_FAIL,
        "the journal "
            + where
            + " cannot be used: "
            + e
            + "; give the master a data_dir that it may write to and that has room");
  }

  private void replay() throws IOException {
    for (String name : files.list()) {
      number = Math.max(number, JournalFormat.number(name));
    }
    if (number == 0) {
      writeSnapshot();
      return;
    }
    String name = JournalFormat.name(number);
    ByteBuffer content = files.read(name);
    Replay replay = Replay.of(content, number, files.describe(name), state);
    if (replay.end() < content.limit()) {
      LOG.warn(
          "{}: the last {} bytes are of a write that was cut short and never acknowledged; they are"
              + " dropped",
          files.describe(name),
          content.limit() - replay.end());
    }
    appender = files.openAt(name, replay.end());
    sequence = replay.sequence();
    bytes = replay.end();
    compactFrom(replay.snapshotEnd());
    deleteOthers();
  }

  private void compactFrom(long snapshotBytes) {
    compactAtBytes = Math.max(minCompactionBytes, COMPACTION_FACTOR * snapshotBytes);
  }

  // Appending

  @Override
  public Future<Void> append(List<? extends JournalRecord> appended) {
    Append append = new Append(List.copyOf(appended), Promise.promise());
    synchronized (queue) {
      if (closed) {
        return Future.failedFuture(failed("the journal is closed"));
      }
      queue.add(append);
    }
    return append.durable.future();
  }

  private static StoreException failed(String message) {
    return new StoreException(ErrorCode.PERSISTENT_FAIL, message);
  }

  private void run() {
    List<Append> taken = new ArrayList<>();
    boolean open = true;
    long probeNanos = 0;
    while (open) {
      try {
        Append first = failed ? queue.poll(probeMillis, TimeUnit.MILLISECONDS) : queue.take();
        if (first != null) {
          taken.add(first);
          queue.drainTo(taken);
        }
      } catch (InterruptedException e) {
        // Nobody has a reason to interrupt it; close() ends it.
        LOG.warn("the journal's thread was interrupted, and goes on");
      }
      open = taken.isEmpty() || !taken.remove(CLOSE);
      commit(taken);
      taken.clear();
      if (failed && (!open || System.nanoTime() - probeNanos >= 0)) {
        recover();
        probeNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(probeMillis);
      } else if (bytes > compactAtBytes) {
        compact();
      }
      publish();
    }
    closeFiles();
  }

  /** Makes appends durable, as many at once as fit into a group, and tells those who wait. */
  private void commit(List<Append> appends) {
    int from = 0;
    while (from < appends.size()) {
      int to = from;
      long room = 0;
      do {
        room += JournalFormat.room(appends.get(to).records);
        to++;
      } while (to < appends.size()
          && room + JournalFormat.room(appends.get(to).records) <= MAX_GROUP_BYTES);
      commitGroup(appends.subList(from, to));
      from = to;
    }
  }

  private void commitGroup(List<Append> appends) {
    if (failed) {
      appends.forEach(append -> append.records.forEach(state::apply));
    } else {
      try {
        writeGroup(appends);
      } catch (IOException | RuntimeException e) {
        fail(e);
      }
    }
    StoreException cause = failed ? failed(failure) : null;
    for (Append append : appends) {
      tell(append.durable, cause);
    }
  }

  private static void tell(Promise<Void> durable, @Nullable StoreException cause) {
    try {
      if (cause == null) {
        durable.complete();
      } else {
        durable.fail(cause);
      }
    } catch (RuntimeException e) {
      // Whoever waits may be gone with its loop while the master stops.
      LOG.debug("nobody takes the answer of the journal", e);
    }
  }

  /** Takes records into the state, whatever becomes of the file, then writes and forces them. */
  private void writeGroup(List<Append> appends) throws IOException {
    int room = JournalFormat.GROUP_HEADER_BYTES;
    for (Append append : appends) {
      append.records.forEach(state::apply);
      room += JournalFormat.room(append.records);
    }
    begin(room);
    for (Append append : appends) {
      append.records.forEach(record -> RecordCodec.write(record, group));
      records += append.records.size();
    }
    JournalFiles.Appender to = appender;
    if (to == null) {
      throw new IOException("no file is open");
    }
    endGroup(to);
    to.force();
  }

  private void begin(int room) {
    if (group.capacity() < room) {
      group = ByteBuffer.allocateDirect(Math.max(room, 2 * group.capacity()));
    }
    JournalFormat.begin(group);
  }

  private void endGroup(JournalFiles.Appender to) throws IOException {
    JournalFormat.end(group, ++sequence);
    bytes += group.remaining();
    to.write(group);
    groups++;
  }

  // Failure

  private void fail(Exception e) {
    failures++;
    failure =
        "the journal "
            + files.describe(JournalFormat.name(number))
            + " cannot be written: "
            + e
            + "; free space or repair the disk, the master goes on by itself";
    failed = true;
    LOG.error("{}", failure, e);
  }

  private void recover() {
    try {
      writeSnapshot();
      failed = false;
      failure = "";
      LOG.info("the journal {} can be written again", files.describe(JournalFormat.name(number)));
    } catch (IOException | RuntimeException e) {
      LOG.debug("the journal still cannot be written", e);
    }
  }

  // Snapshots

  private void compact() {
    long before = number;
    try {
      writeSnapshot();
    } catch (IOException e) {
      if (number != before) {
        // The new name may be durable or not, so neither file may be written on.
        fail(e);
      } else {
        LOG.warn("the journal cannot be compacted and grows on: {}", e.toString());
        compactAtBytes = bytes + bytes / 4;
      }
    }
  }

  /** Writes all that is known to a new file and goes on there. */
  private void writeSnapshot() throws IOException {
    long next = number + 1;
    long sequenceBefore = sequence;
    long bytesBefore = bytes;
    JournalFiles.Appender to = files.create(TEMPORARY);
    boolean done = false;
    try {
      ByteBuffer header = JournalFormat.header(next);
      sequence = 0;
      bytes = header.remaining();
      to.write(header);
      begin(SNAPSHOT_GROUP_BYTES);
      state.snapshot(
          record -> {
            int room = RecordCodec.room(record);
            if (group.remaining() < room) {
              endGroup(to);
              begin(Math.max(SNAPSHOT_GROUP_BYTES, room + JournalFormat.GROUP_HEADER_BYTES));
            }
            RecordCodec.write(record, group);
          });
      endGroup(to);
      to.force();
      number = next;
      files.rename(TEMPORARY, JournalFormat.name(next));
      files.forceNames();
      done = true;
    } finally {
      if (!done) {
        sequence = sequenceBefore;
        bytes = bytesBefore;
        to.close();
      }
    }
    closeQuietly(appender);
    appender = to;
    snapshots++;
    compactFrom(bytes);
    deleteOthers();
  }

  private void deleteOthers() {
    try {
      for (String name : files.list()) {
        long other = JournalFormat.number(name);
        if (name.equals(TEMPORARY) || (other >= 0 && other < number)) {
          files.delete(name);
        }
      }
    } catch (IOException e) {
      LOG.warn("files that the journal does not need any more cannot be deleted: {}", e.toString());
    }
  }

  // State of the journal

  private void publish() {
    stats = new JournalStats(records, groups, failures, snapshots, bytes, state.floors());
  }

  @Override
  public boolean isFailed() {
    return failed;
  }

  @Override
  public String failure() {
    return failure;
  }

  @Override
  public boolean isDurable() {
    return true;
  }

  @Override
  public JournalStats stats() {
    return stats;
  }

  @Override
  public void close() {
    synchronized (queue) {
      if (!closed) {
        closed = true;
        queue.add(CLOSE);
      }
    }
    boolean interrupted = false;
    while (writer.isAlive()) {
      try {
        writer.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeFiles() {
    closeQuietly(appender);
    appender = null;
    closeQuietly(files);
  }

  private static void closeQuietly(java.io.@Nullable Closeable closeable) {
    if (closeable != null) {
      try {
        closeable.close();
      } catch (IOException e) {
        LOG.warn("a file of the journal cannot be closed: {}", e.toString());
      }
    }
  }
}
