package io.moonpool.master.metadata;

import io.moonpool.core.index.PatternFloor;
import io.moonpool.master.journal.Floors;
import io.moonpool.master.journal.Journal;
import io.moonpool.master.journal.JournalRecord;
import io.moonpool.master.loop.MasterLoop;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The floors of one loop on their way to the journal. The index emits them while it works on a
 * batch; they are appended together when the batch, or a slice of it, is done. Whoever saw their
 * effect, the caller or a reader that came right behind, gets its answer when they are durable.
 *
 * <p>When an append fails, the change has happened and may be forgotten by a crash of the master,
 * until the journal has recovered: the floors are <i>unsaved</i>. Changes of their keys are refused
 * so long.
 */
final class DurableFloors {
  private final Journal journal;
  private final MasterLoop loop;

  /** Floors that were emitted since the last append, and floors that disks do not need any more. */
  private final Int2ObjectOpenHashMap<Floors> emitted = new Int2ObjectOpenHashMap<>();

  private final Int2ObjectOpenHashMap<Floors> acknowledged = new Int2ObjectOpenHashMap<>();
  private final List<JournalRecord> patterns = new ArrayList<>();
  private long emissions;

  /** By the hash of its key, the last append that holds a floor of it and is not durable. */
  private final Long2LongOpenHashMap pending = new Long2LongOpenHashMap();

  /** The hashes of these appends, in their order. */
  private final ArrayDeque<Appended> appended = new ArrayDeque<>();

  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private long lastAppend;
  private long failedUpTo;

  private record Appended(long number, List<Floors> floors) {}

  private record Waiter(long number, Promise<Void> durable) {}

  DurableFloors(Journal journal, MasterLoop loop) {
    this.journal = journal;
    this.loop = loop;
  }

  /** The index emits a floor. */
  void add(int disk, long hash, long version) {
    emissions++;
    if (journal.isDurable()) {
      emitted.computeIfAbsent(disk, number -> new Floors()).add(hash, version);
    }
  }

  /** Whether floors of removals by pattern are remembered. */
  boolean keepsPatterns() {
    return journal.isDurable();
  }

  /**
   * A removal by pattern has left a floor for disks that are not there.
   *
   * @param survivors those of the floor; not changed any more
   */
  void add(PatternFloor floor, Floors survivors) {
    if (keepsPatterns() && floor.keys() instanceof KeyPattern.Lasting keys) {
      patterns.add(
          new JournalRecord.PatternFloorAdded(
              keys.selection(), floor.firstShard(), floor.endShard(), floor.below(), survivors));
    }
  }

  /** A disk has a tombstone for what is below a floor. Becomes durable some time. */
  void acknowledge(int disk, long hash, long version) {
    if (journal.isDurable()) {
      acknowledged.computeIfAbsent(disk, number -> new Floors()).add(hash, version);
    }
  }

  /** Changes with each floor that is emitted. */
  long emissions() {
    return emissions;
  }

  /** True when there is a floor of a key that is not durable. */
  boolean isPending(long hash) {
    return !pending.isEmpty() && pending.containsKey(hash);
  }

  /** True when a floor of a key could not be made durable, and is not yet. */
  boolean isUnsaved(long hash) {
    return failedUpTo > 0 && pending.get(hash) > 0 && pending.get(hash) <= failedUpTo;
  }

  /** While nothing can be made durable. */
  boolean isFailed() {
    return journal.isFailed();
  }

  /** Hands what was emitted to the journal. */
  void flush() {
    if (emitted.isEmpty() && acknowledged.isEmpty() && patterns.isEmpty()) {
      return;
    }
    List<JournalRecord> records = new ArrayList<>(patterns);
    List<Floors> floors = new ArrayList<>(emitted.values());
    emitted.forEach((disk, added) -> records.add(new JournalRecord.FloorsAdded(disk, added)));
    acknowledged.forEach(
        (disk, gone) -> records.add(new JournalRecord.FloorsAcknowledged(disk, gone)));
    patterns.clear();
    emitted.clear();
    acknowledged.clear();
    long number = ++lastAppend;
    for (Floors each : floors) {
      for (int i = 0; i < each.size(); i++) {
        pending.put(each.hash(i), number);
      }
    }
    appended.addLast(new Appended(number, floors));
    journal
        .append(records)
        .onComplete(done -> loop.queue().post(() -> settled(number, done.succeeded())));
  }

  private void settled(long number, boolean durable) {
    // A journal that has recovered meanwhile has written everything that it was told before.
    if (durable || !journal.isFailed()) {
      forgetUpTo(number);
      complete(number, null);
    } else {
      failedUpTo = Math.max(failedUpTo, number);
      complete(number, failure());
    }
  }

  private StoreException failure() {
    return new StoreException(ErrorCode.PERSISTENT_FAIL, journal.failure());
  }

  private void forgetUpTo(long number) {
    while (!appended.isEmpty() && appended.getFirst().number <= number) {
      Appended first = appended.removeFirst();
      for (Floors each : first.floors) {
        for (int i = 0; i < each.size(); i++) {
          pending.remove(each.hash(i), first.number);
        }
      }
    }
  }

  private void complete(long number, @Nullable StoreException failure) {
    while (!waiters.isEmpty() && waiters.getFirst().number <= number) {
      Promise<Void> durable = waiters.removeFirst().durable;
      if (failure == null) {
        durable.complete();
      } else {
        durable.fail(failure);
      }
    }
  }

  /** The journal may have recovered; called every few milliseconds. */
  void look() {
    flush();
    if (failedUpTo > 0 && !journal.isFailed()) {
      forgetUpTo(failedUpTo);
      failedUpTo = 0;
    }
  }

  /**
   * As {@link #durable}, for a call that passes over objects whose floors cannot be made durable:
   * it fails while that is so.
   */
  Future<Void> allDurable() {
    return journal.isFailed() ? Future.failedFuture(failure()) : durable();
  }

  /**
   * Completes on this loop when all floors that were emitted until now are durable; fails with
   * PERSISTENT_FAIL when they are not.
   */
  Future<Void> durable() {
    flush();
    if (appended.isEmpty()) {
      return Future.succeededFuture();
    }
    if (appended.getLast().number <= failedUpTo) {
      return Future.failedFuture(failure());
    }
    Waiter waiter = new Waiter(lastAppend, Promise.promise());
    waiters.addLast(waiter);
    return waiter.durable.future();
  }
}
