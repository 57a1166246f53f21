package io.moonpool.master.drain;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.core.segment.SegmentRegistry;
import io.moonpool.master.metadata.StartedTransfer;
import io.moonpool.master.metadata.TransferRequest;
import io.moonpool.master.request.SingleKey;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskType;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Copies and moves that somebody asks for by hand. One whose target has no room waits, and is tried
 * again when room may have come; it costs nothing meanwhile. Belongs to the control loop.
 */
final class ManualTasks {
  private final Tasks tasks;
  private final Lanes lanes;
  private final SegmentRegistry segments;
  private final Supplier<NamedSegments> known;
  private final DrainClock clock;

  /** Tasks that wait for room, in the order in which they came. */
  private final Map<UUID, Wish> waiting = new LinkedHashMap<>();

  private record Wish(Task task, TransferRequest request) {}

  ManualTasks(
      Tasks tasks,
      Lanes lanes,
      SegmentRegistry segments,
      Supplier<NamedSegments> known,
      DrainClock clock) {
    this.tasks = tasks;
    this.lanes = lanes;
    this.segments = segments;
    this.known = known;
    this.clock = clock;
  }

  Future<TaskInfo> move(MoveRequest request) {
    SingleKey.of(request.key());
    NamedSegments now = known.get();
    SegmentInfo source = named(now, request.source(), "source");
    SegmentInfo target = target(now, request.target());
    if (source.generation() == target.generation()) {
      throw invalid("source and target are the same segment: name another target");
    }
    return start(
        TaskType.REPLICA_MOVE,
        request.tenant(),
        request.key(),
        Optional.of(source),
        List.of(target));
  }

  Future<TaskInfo> copy(CopyRequest request) {
    SingleKey.of(request.key());
    if (request.targets().isEmpty()) {
      throw invalid("a copy needs at least one target");
    }
    NamedSegments now = known.get();
    List<SegmentInfo> targets = new ArrayList<>();
    for (String name : request.targets()) {
      SegmentInfo target = target(now, name);
      if (targets.stream().anyMatch(other -> other.generation() == target.generation())) {
        throw invalid("target '" + name + "' is named twice: name it once");
      }
      targets.add(target);
    }
    return start(TaskType.REPLICA_COPY, request.tenant(), request.key(), Optional.empty(), targets);
  }

  private static SegmentInfo target(NamedSegments known, String name) {
    return DrainChoice.memoryTarget(named(known, name, "target"));
  }

  private static SegmentInfo named(NamedSegments known, String name, String what) {
    try {
      return known.segment(name);
    } catch (StoreException e) {
      throw invalid(what + ": " + e.sentence());
    }
  }

  private static StoreException invalid(String message) {
    return new StoreException(ErrorCode.INVALID_PARAMS, message);
  }

  private Future<TaskInfo> start(
      TaskType type,
      String tenant,
      String key,
      Optional<SegmentInfo> source,
      List<SegmentInfo> targets) {
    Task task =
        new Task(
            UUID.randomUUID(),
            type,
            null,
            tenant,
            key,
            source.map(segment -> segment.spec().id()).orElse(null),
            targets.stream().map(segment -> segment.spec().id()).toList(),
            clock.wallMillis(),
            ended -> waiting.remove(ended.id));
    TransferRequest wish =
        new TransferRequest(
            type,
            tenant,
            key.getBytes(StandardCharsets.UTF_8),
            source.map(this::mount),
            targets.stream().map(this::mount).toList(),
            task.id,
            tasks.grantMillis());
    tasks.submit(task);
    return tryStart(new Wish(task, wish), false)
        .transform(
            done -> {
              ErrorCode code =
                  done.succeeded() ? ErrorCode.OK : StoreException.codeOf(done.cause());
              if (code == ErrorCode.OK || code == ErrorCode.NO_AVAILABLE_HANDLE) {
                return Future.succeededFuture(task.info());
              }
              // Nothing was begun: who asked is told, and no task is left behind.
              tasks.withdraw(task);
              return Future.failedFuture(done.cause());
            });
  }

  private SegmentMount mount(SegmentInfo segment) {
    return segments.mountOf(segment.generation());
  }

  /**
   * Tries to start a transfer; waits for room when there is none.
   *
   * @param told whoever frees space tells so: otherwise it is tried once more when that is so
   */
  private Future<Void> tryStart(Wish wish, boolean told) {
    return lanes
        .start(wish.request)
        .transform(
            started -> {
              if (started.succeeded()) {
                started(wish.task, started.result());
                return Future.succeededFuture();
              }
              if (StoreException.codeOf(started.cause()) == ErrorCode.NO_AVAILABLE_HANDLE
                  && !wish.task.status.terminal()) {
                if (!told) {
                  lanes.wantSpace();
                  return tryStart(wish, true);
                }
                wish.task.message = "waits for room on its target";
                waiting.put(wish.task.id, wish);
              }
              return Future.failedFuture(started.cause());
            });
  }

  private void started(Task task, StartedTransfer transfer) {
    task.message = "";
    SegmentInfo source = segments.find(transfer.source().generation()).orElse(null);
    if (source == null) {
      tasks.started(task, transfer, null);
      return;
    }
    task.source = source.spec().id();
    tasks.started(task, transfer, source.nodeId());
  }

  /** There may be room where there was none: those who wait are tried again, once. */
  void roomChanged() {
    List<Wish> again = List.copyOf(waiting.values());
    waiting.clear();
    if (!again.isEmpty()) {
      lanes.wantSpace();
    }
    for (Wish wish : again) {
      tryStart(wish, true)
          .onFailure(
              failure -> {
                ErrorCode code = StoreException.codeOf(failure);
                if (code != ErrorCode.NO_AVAILABLE_HANDLE) {
                  tasks.refuse(wish.task, code, code.sentence());
                }
              });
    }
  }
}
