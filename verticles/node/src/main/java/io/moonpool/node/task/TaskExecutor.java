package io.moonpool.node.task;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.node.disk.DiskValues;
import io.moonpool.node.disk.LentMemory;
import io.moonpool.node.line.TargetSegments;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.ReplicaSource;
import io.moonpool.protocol.call.ReplicaTarget;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.transfer.PeerSegment;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries tasks out: finds the targets, and writes the source's bytes to all of them. Belongs to an
 * event loop.
 *
 * <p>Bytes of a memory source are not checked here: the checksum moves with them, and every reader
 * checks it. Those of a disk are, since the disk's copy is what is given up afterwards.
 */
final class TaskExecutor {
  private final Transports transports;
  private final TargetSegments segments;
  private final LentMemory memory;
  private final @Nullable DiskValues disk;
  private final TaskEvents events;

  /**
   * An executor.
   *
   * @param disk null when the node lends none
   */
  TaskExecutor(
      Transports transports,
      TargetSegments segments,
      LentMemory memory,
      @Nullable DiskValues disk,
      TaskEvents events) {
    this.transports = transports;
    this.segments = segments;
    this.memory = memory;
    this.disk = disk;
    this.events = events;
  }

  /**
   * Carries a task out.
   *
   * @param deadlineNanos {@link System#nanoTime()} after which nothing may be written any more
   * @return completes when all targets have all bytes, or when nothing of the task goes on any more
   */
  Future<Void> run(ReplicaTask task, long deadlineNanos) {
    if (task.targets().isEmpty() || task.object().size() == 0) {
      return Future.succeededFuture();
    }
    List<Future<PeerSegment>> found = new ArrayList<>();
    for (ReplicaTarget target : task.targets()) {
      found.add(segments.find(target.generation()));
    }
    return Future.join(found)
        .compose(all -> write(task, found.stream().map(Future::result).toList(), deadlineNanos));
  }

  private Future<Void> write(ReplicaTask task, List<PeerSegment> peers, long deadlineNanos) {
    return switch (task.source().type()) {
      case MEMORY -> fromMemory(task, peers, deadlineNanos);
      case LOCAL_DISK -> fromDisk(task, peers, deadlineNanos);
      case DISK, NOF_SSD, ALL ->
          failed(ErrorCode.INVALID_PARAMS, "a task reads from memory or from the node's disk");
    };
  }

  private Future<Void> fromMemory(ReplicaTask task, List<PeerSegment> peers, long deadlineNanos) {
    ReplicaSource source = task.source();
    MemorySegment value = memory.find(source.generation(), source.offset(), task.object().size());
    return value == null
        ? failed(
            ErrorCode.REPLICA_NOT_IN_LOCAL_MEMORY, "this node does not lend the source any more")
        : put(task, peers, value, 0, deadlineNanos);
  }

  private Future<Void> fromDisk(ReplicaTask task, List<PeerSegment> peers, long deadlineNanos) {
    DiskValues values = disk;
    DiskObject object = task.object();
    if (values == null) {
      return failed(ErrorCode.REPLICA_IS_GONE, "this node lends no disk");
    }
    Reading reading = new Reading();
    return values
        .read(
            task.source().generation(),
            object.version(),
            object.size(),
            deadlineNanos,
            (piece, offset) ->
                put(task, peers, piece, offset, deadlineNanos)
                    .onFailure(failure -> reading.putFailed = true))
        .recover(
            failure ->
                Future.failedFuture(reading.putFailed ? failure : loadFailed(object, failure)));
  }

  /** Whose fault a failure is. Written before the future of the read fails. */
  private static final class Reading {
    volatile boolean putFailed;
  }

  private StoreException loadFailed(DiskObject object, Throwable failure) {
    ErrorCode code = StoreException.codeOf(failure);
    if (code == ErrorCode.FILE_NOT_FOUND) {
      // The store knows the object, so its file must be there: whatever the kernel's reason, it
      // could not be opened.
      code = ErrorCode.FILE_OPEN_FAIL;
    }
    events.loadFailed(object, code);
    return new StoreException(code, "the value cannot be loaded from disk: " + code.sentence());
  }

  /** Ends when the last put has: nothing touches the piece afterwards. */
  private Future<Void> put(
      ReplicaTask task,
      List<PeerSegment> peers,
      MemorySegment piece,
      long offset,
      long deadlineNanos) {
    List<Future<Void>> puts = new ArrayList<>();
    for (int i = 0; i < peers.size(); i++) {
      puts.add(
          transports.put(
              piece, peers.get(i), task.targets().get(i).offset() + offset, deadlineNanos));
    }
    return puts.size() == 1 ? puts.getFirst() : Future.join(puts).mapEmpty();
  }

  private static Future<Void> failed(ErrorCode code, String message) {
    return Future.failedFuture(new StoreException(code, message));
  }
}
