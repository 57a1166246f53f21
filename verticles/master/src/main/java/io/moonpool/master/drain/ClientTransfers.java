package io.moonpool.master.drain;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.core.segment.SegmentRegistry;
import io.moonpool.master.metadata.DrainProxy;
import io.moonpool.master.metadata.TransferId;
import io.moonpool.master.metadata.TransferRequest;
import io.moonpool.master.request.SingleKey;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.call.EndTransfer;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.StartTransfer;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Copies and moves that clients carry out by themselves. All that there is to know of one is kept
 * where its object is; nothing is here. Belongs to the control loop, since that knows the names of
 * segments and the tasks.
 */
final class ClientTransfers {
  private final DrainProxy metadata;
  private final TaskTable tasks;
  private final SegmentRegistry segments;
  private final Supplier<NamedSegments> known;
  private final long grantMillis;

  ClientTransfers(
      DrainProxy metadata,
      TaskTable tasks,
      SegmentRegistry segments,
      Supplier<NamedSegments> known,
      long grantMillis) {
    this.metadata = metadata;
    this.tasks = tasks;
    this.segments = segments;
    this.known = known;
    this.grantMillis = grantMillis;
  }

  Future<ReplicaTask> start(TaskType type, StartTransfer request) {
    SingleKey.requireLength(request.key().length);
    if (tasks.find(request.client()) != null) {
      // The grant of this one would end that task.
      throw new StoreException(
          ErrorCode.ILLEGAL_CLIENT, "a task of the master has the id of this client");
    }
    boolean move = type == TaskType.REPLICA_MOVE;
    if (move && (request.source().isEmpty() || request.targets().size() != 1)) {
      throw invalid("a move needs a source and one target");
    }
    if (request.targets().isEmpty()) {
      throw invalid("a copy needs at least one target");
    }
    NamedSegments now = known.get();
    Optional<SegmentMount> source =
        request.source().isEmpty()
            ? Optional.empty()
            : Optional.of(mount(now.segment(request.source())));
    List<SegmentMount> targets = new ArrayList<>();
    for (String name : request.targets()) {
      targets.add(mount(DrainChoice.memoryTarget(now.segment(name))));
    }
    return metadata
        .start(
            new TransferRequest(
                type,
                request.tenant(),
                request.key(),
                source,
                targets,
                request.client(),
                grantMillis))
        .compose(
            started ->
                started.ok()
                    ? Future.succeededFuture(started.get().task(grantMillis))
                    : Future.failedFuture(new StoreException(started.code())));
  }

  private SegmentMount mount(SegmentInfo segment) {
    return segments.mountOf(segment.generation());
  }

  private static StoreException invalid(String message) {
    return new StoreException(ErrorCode.INVALID_PARAMS, message);
  }

  Future<Void> end(TaskType type, EndTransfer request) {
    return settle(type, request, metadata::end);
  }

  Future<Void> revoke(TaskType type, EndTransfer request) {
    return settle(type, request, metadata::revoke);
  }

  private Future<Void> settle(
      TaskType type, EndTransfer request, Function<TransferId, Future<ErrorCode>> how) {
    if (tasks.find(request.client()) != null) {
      // Its end is counted: it must not happen behind the back of who made the task.
      throw new StoreException(
          ErrorCode.ILLEGAL_CLIENT, "this is a task of the master: its node settles it");
    }
    TransferId id =
        new TransferId(type, request.tenant(), request.key(), request.version(), request.client());
    return how.apply(id)
        .compose(
            code ->
                code == ErrorCode.OK
                    ? Future.succeededFuture()
                    : Future.failedFuture(new StoreException(code)));
  }
}
