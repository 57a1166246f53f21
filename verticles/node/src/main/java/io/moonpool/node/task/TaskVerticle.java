package io.moonpool.node.task;

import io.moonpool.node.disk.DiskValues;
import io.moonpool.node.disk.LentMemory;
import io.moonpool.node.line.TargetSegments;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the copies and moves that the master asks this node for while it is registered, with
 * bounded concurrency.
 */
public final class TaskVerticle extends VerticleBase {
  /** More than the longest wait for tasks. */
  private static final long CALL_TIMEOUT_MILLIS = 30_000;

  private final int concurrency;
  private final FrameClientOptions masterPort;
  private final Transports transports;
  private final LentMemory memory;
  private final @Nullable DiskValues disk;
  private final TaskStats stats = new TaskStats();

  /** The current session last; earlier ones until their tasks have ended. */
  private final List<TaskSession> sessions = new ArrayList<>();

  private @Nullable Parts parts;
  private boolean closing;

  /** What exists while it is deployed. */
  private record Parts(
      FrameClient master, TaskSlots slots, TaskExecutor executor, TaskEvents events) {}

  /**
   * A verticle.
   *
   * @param concurrency most tasks at once
   * @param masterPort how the master's main port is reached
   * @param memory where values in memory are
   * @param disk where values on disk are; null when the node lends none
   */
  public TaskVerticle(
      int concurrency,
      FrameClientOptions masterPort,
      Transports transports,
      LentMemory memory,
      @Nullable DiskValues disk) {
    this.concurrency = concurrency;
    this.masterPort = masterPort;
    this.transports = transports;
    this.memory = memory;
    this.disk = disk;
  }

  @Override
  public Future<?> start() {
    FrameClient master =
        FrameClient.create(vertx, masterPort.withCallTimeoutMillis(CALL_TIMEOUT_MILLIS));
    TaskEvents events = new TaskEvents(stats);
    parts =
        new Parts(
            master,
            new TaskSlots(concurrency, stats),
            new TaskExecutor(transports, new TargetSegments(master), memory, disk, events),
            events);
    return Future.succeededFuture();
  }

  /** What it counts. Any thread. */
  public TaskStats stats() {
    return stats;
  }

  /** The master has registered the node and mounted what it lends, again perhaps. Any thread. */
  public void mounted(UUID nodeId, long incarnation) {
    context.runOnContext(
        now -> {
          Parts deployed = parts;
          if (closing || deployed == null) {
            return;
          }
          sessions.forEach(TaskSession::end);
          sessions.removeIf(TaskSession::isOver);
          TaskSession session =
              new TaskSession(
                  vertx,
                  deployed.master(),
                  nodeId,
                  incarnation,
                  deployed.slots(),
                  deployed.executor(),
                  deployed.events(),
                  stats,
                  this::slotFreed);
          sessions.add(session);
          session.ask();
        });
  }

  private void slotFreed() {
    if (!closing && !sessions.isEmpty()) {
      sessions.getLast().slotFreed();
    }
  }

  /**
   * Completes when no task touches memory any more: by their grants at the latest, usually soon.
   */
  @Override
  public Future<?> stop() {
    closing = true;
    Parts deployed = parts;
    List<Future<Void>> leaving = new ArrayList<>();
    sessions.forEach(session -> leaving.add(session.leave()));
    return (leaving.isEmpty() ? Future.succeededFuture() : Future.join(leaving))
        .eventually(() -> deployed == null ? Future.succeededFuture() : deployed.master().close());
  }
}
