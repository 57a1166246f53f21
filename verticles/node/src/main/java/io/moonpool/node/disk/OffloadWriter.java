package io.moonpool.node.disk;

import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.OffloadTask;
import io.moonpool.protocol.call.SettledOffload;
import io.moonpool.storage.BucketStore;
import io.moonpool.storage.BucketWriter;
import io.moonpool.storage.ObjectRecord;
import io.moonpool.storage.StoreResult;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes objects from the node's memory into buckets. What does not fit waits until there is room.
 * One worker at a time.
 */
final class OffloadWriter {
  private static final Logger LOG = LoggerFactory.getLogger(OffloadWriter.class);

  /** A task and until when its bytes stay where they are. */
  record Held(OffloadTask task, long untilNanos) {
    /** How the task ended. */
    SettledOffload settled(boolean stored) {
      DiskObject object = task.object();
      return new SettledOffload(
          object.tenant(), object.key(), object.version(), task.replicaId(), stored);
    }
  }

  /**
   * What came of it.
   *
   * @param settled tasks that have ended, well or not
   * @param unreliable versions that may have been stored from bytes that changed meanwhile
   * @param waiting tasks for which there is no room
   */
  record Progress(List<SettledOffload> settled, long[] unreliable, List<Held> waiting) {}

  private final BucketStore store;
  private final LentMemory memory;

  OffloadWriter(BucketStore store, LentMemory memory) {
    this.store = store;
    this.memory = memory;
  }

  /** Writes what fits, and makes it durable. Blocks. */
  Progress write(List<Held> tasks) {
    return new Run(tasks).run();
  }

  private final class Run {
    private final Deque<Held> left;
    private final List<Held> inBucket = new ArrayList<>();
    private final List<SettledOffload> settled = new ArrayList<>();
    private final List<Long> unreliable = new ArrayList<>();
    private @Nullable BucketWriter bucket;

    Run(List<Held> tasks) {
      left = new ArrayDeque<>(tasks);
    }

    Progress run() {
      boolean room = true;
      while (room && !left.isEmpty()) {
        room = append(left.getFirst());
      }
      commit();
      return new Progress(
          settled, unreliable.stream().mapToLong(Long::longValue).toArray(), List.copyOf(left));
    }

    /** Answers false when there is no room. */
    private boolean append(Held held) {
      DiskObject object = held.task().object();
      MemorySegment value =
          memory.find(held.task().sourceGeneration(), held.task().sourceOffset(), object.size());
      if (value == null || System.nanoTime() - held.untilNanos() >= 0) {
        LOG.warn("object {} is not where it was to be offloaded from", object.version());
        left.removeFirst();
        settle(held, false);
        return true;
      }
      BucketWriter open = open();
      StoreResult result =
          open.append(record(object), value, TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
      if (result.code() == ErrorCode.KEYS_EXCEED_BUCKET_LIMIT && !open.isEmpty()) {
        commit();
        return true;
      }
      if (result.code() == ErrorCode.NO_AVAILABLE_HANDLE && !open.isClosed()) {
        return false;
      }
      left.removeFirst();
      if (result.ok()) {
        inBucket.add(held);
        return true;
      }
      // The disk may have it from an earlier mount whose answer was lost: that is as good.
      boolean there = result.code() == ErrorCode.OBJECT_ALREADY_EXISTS;
      if (!there) {
        LOG.warn("object {} was not offloaded: {}", object.version(), result.detail());
      }
      settle(held, there && store.contains(object.version()));
      if (open.isClosed()) {
        giveUp();
      }
      return true;
    }

    private BucketWriter open() {
      BucketWriter open = bucket;
      if (open == null) {
        open = store.newBucket();
        bucket = open;
      }
      return open;
    }

    private void commit() {
      BucketWriter open = bucket;
      if (open == null) {
        return;
      }
      StoreResult result = open.commit();
      if (!result.ok()) {
        LOG.warn("{} objects were not offloaded: {}", inBucket.size(), result.detail());
        giveUp();
        return;
      }
      for (Held held : inBucket) {
        boolean inTime = System.nanoTime() - held.untilNanos() < 0;
        if (!inTime) {
          unreliable.add(held.task().object().version());
        }
        settle(held, inTime);
      }
      inBucket.clear();
      bucket = null;
    }

    private void giveUp() {
      inBucket.forEach(held -> settle(held, false));
      inBucket.clear();
      bucket = null;
    }

    private void settle(Held held, boolean stored) {
      settled.add(held.settled(stored));
    }
  }

  private static ObjectRecord record(DiskObject object) {
    return new ObjectRecord(
        object.tenant(),
        object.key(),
        object.version(),
        object.size(),
        object.checksum(),
        object.dataType(),
        object.softPinMillis() <= 0 ? 0 : System.currentTimeMillis() + object.softPinMillis(),
        object.hardPinned(),
        object.group());
  }
}
