package io.moonpool.core.index;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.TaskType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rules of copies and moves by hand, as short as they can be said. */
final class NaiveTransfers {
  /** One that is under way. */
  static final class Transfer {
    final UUID task;
    final TaskType type;
    final long sourceId;
    final List<Long> targetIds = new ArrayList<>();
    final long deadline;

    Transfer(UUID task, TaskType type, long sourceId, long deadline) {
      this.task = task;
      this.type = type;
      this.sourceId = sourceId;
      this.deadline = deadline;
    }
  }

  private final NaiveIndex naive;

  NaiveTransfers(NaiveIndex naive) {
    this.naive = naive;
  }

  private NaiveIndex.@Nullable Obj complete(String name, int tenant) {
    NaiveIndex.Obj object = naive.objects.get(NaiveIndex.id(name, tenant));
    return object != null && object.complete ? object : null;
  }

  private static NaiveIndex.@Nullable Replica in(NaiveIndex.Obj object, int slot) {
    return object.replicas.stream().filter(r -> r.slot == slot).findFirst().orElse(null);
  }

  private static NaiveIndex.@Nullable Replica find(NaiveIndex.Obj object, long id) {
    return object.replicas.stream().filter(r -> r.id == id).findFirst().orElse(null);
  }

  private boolean served(NaiveIndex.Replica replica) {
    return naive.segments.isServed(replica.slot, replica.generation);
  }

  private NaiveIndex.@Nullable Replica source(NaiveIndex.Obj object, TransferWish wish) {
    if (wish.source().isPresent()) {
      SegmentMount mount = wish.source().get();
      NaiveIndex.Replica replica =
          naive.segments.isLive(mount.slot(), mount.generation()) ? in(object, mount.slot()) : null;
      return replica != null && replica.complete ? replica : null;
    }
    NaiveIndex.Replica best = null;
    for (boolean isServed : new boolean[] {true, false}) {
      for (ReplicaType type : List.of(ReplicaType.MEMORY, ReplicaType.LOCAL_DISK)) {
        for (NaiveIndex.Replica each : object.replicas) {
          if (best == null && each.complete && served(each) == isServed && each.type == type) {
            best = each;
          }
        }
      }
    }
    return best;
  }

  ErrorCode check(String name, int tenant, TransferWish wish, List<SegmentMount> missing) {
    List<SegmentMount> targets = wish.targets();
    for (SegmentMount target : targets) {
      if (Optional.of(target).equals(wish.source())) {
        return ErrorCode.INVALID_PARAMS;
      }
      if (!naive.segments.isLive(target.slot(), target.generation())) {
        return ErrorCode.SEGMENT_NOT_FOUND;
      }
      if (naive.segments.kind(target.slot()) != SegmentKind.MEMORY) {
        return ErrorCode.INVALID_PARAMS;
      }
      if (!naive.segments.isAllocatable(target.slot(), target.generation())) {
        return ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS;
      }
    }
    NaiveIndex.Obj object = complete(name, tenant);
    if (object == null) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    naive.dropOverdue(object);
    if (object.write != null) {
      return ErrorCode.REPLICA_IS_NOT_READY;
    }
    if (object.transfer != null) {
      return ErrorCode.OBJECT_HAS_REPLICATION_TASK;
    }
    NaiveIndex.Replica source = source(object, wish);
    if (source == null) {
      return ErrorCode.REPLICA_NOT_FOUND;
    }
    if (!served(source)) {
      return ErrorCode.REPLICA_IS_NOT_READY;
    }
    for (SegmentMount target : targets) {
      NaiveIndex.Replica there = in(object, target.slot());
      if (there == null) {
        missing.add(target);
      } else if (!there.complete) {
        return ErrorCode.OBJECT_HAS_REPLICATION_TASK;
      }
    }
    return ErrorCode.OK;
  }

  /** After {@link #check} answered OK. */
  void start(String name, int tenant, TransferWish wish, List<NaiveIndex.Replica> targets) {
    NaiveIndex.Obj object = complete(name, tenant);
    NaiveIndex.Replica source = source(object, wish);
    long deadline = naive.now + wish.grantMillis();
    Transfer transfer = new Transfer(wish.task(), wish.type(), source.id, deadline);
    source.references++;
    source.holdUntil = Math.max(source.holdUntil, deadline);
    for (NaiveIndex.Replica target : targets) {
      target.holdUntil = deadline;
      transfer.targetIds.add(target.id);
      object.replicas.add(target);
    }
    object.transfer = transfer;
  }

  private ErrorCode check(
      NaiveIndex.@Nullable Obj object, @Nullable TaskType type, UUID task, long version) {
    if (object == null) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    if (object.version != version) {
      return ErrorCode.INVALID_VERSION;
    }
    Transfer transfer = object.transfer;
    if (transfer == null) {
      return ErrorCode.OBJECT_NO_REPLICATION_TASK;
    }
    if (!transfer.task.equals(task)) {
      return ErrorCode.ILLEGAL_CLIENT;
    }
    return type == null || type == transfer.type ? ErrorCode.OK : ErrorCode.INVALID_PARAMS;
  }

  ErrorCode end(String name, int tenant, TaskType type, UUID task, long version) {
    NaiveIndex.Obj object = complete(name, tenant);
    ErrorCode code = check(object, type, task, version);
    if (code != ErrorCode.OK) {
      return code;
    }
    Transfer transfer = object.transfer;
    NaiveIndex.Replica source = find(object, transfer.sourceId);
    List<NaiveIndex.Replica> targets =
        object.replicas.stream().filter(r -> transfer.targetIds.contains(r.id)).toList();
    boolean possible =
        transfer.targetIds.isEmpty()
            ? object.replicas.stream()
                .anyMatch(r -> r != source && r.complete && r.type == ReplicaType.MEMORY)
            : !targets.isEmpty();
    if (source == null || !possible) {
      giveUp(object);
      return ErrorCode.REPLICA_IS_GONE;
    }
    object.transfer = null;
    release(source);
    for (NaiveIndex.Replica target : targets) {
      target.complete = true;
      target.holdUntil = 0;
    }
    if (type == TaskType.REPLICA_MOVE) {
      naive.drop(object, source);
    }
    naive.settle(object);
    return targets.size() == transfer.targetIds.size() ? ErrorCode.OK : ErrorCode.REPLICA_IS_GONE;
  }

  ErrorCode revoke(String name, int tenant, UUID task, long version) {
    NaiveIndex.Obj object = complete(name, tenant);
    ErrorCode code = check(object, null, task, version);
    if (code == ErrorCode.OK) {
      giveUp(object);
    }
    return code;
  }

  private static void release(NaiveIndex.Replica source) {
    if (--source.references == 0) {
      source.holdUntil = 0;
    }
  }

  private void giveUp(NaiveIndex.Obj object) {
    Transfer transfer = object.transfer;
    object.transfer = null;
    for (long id : transfer.targetIds) {
      NaiveIndex.Replica target = find(object, id);
      if (target != null) {
        naive.drop(object, target);
      }
    }
    NaiveIndex.Replica source = find(object, transfer.sourceId);
    if (source != null) {
      release(source);
    }
    naive.settle(object);
  }

  void reap() {
    for (NaiveIndex.Obj object : List.copyOf(naive.objects.values())) {
      if (object.transfer != null && object.transfer.deadline < naive.now) {
        giveUp(object);
      }
    }
  }
}
