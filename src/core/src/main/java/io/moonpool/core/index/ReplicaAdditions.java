package io.moonpool.core.index;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.model.ErrorCode;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Replicas in memory that are being written beside those that an object has: what the targets of
 * copies, moves and promotions have in common.
 *
 * <pre>
 *          start                commit
 *  (none) -------> PROCESSING ----------> COMPLETE
 *                     |
 *                     | given up, overdue, segment gone, object removed, overwritten or lost
 *                     v
 *                   (none), the extent waits until the writer must have stopped
 * </pre>
 *
 * <p>Until its commit it is nobody's business: readers are not told of it, it does not stand in the
 * way of a removal, an upsert or an eviction, and it goes when nothing else of its object is left.
 * So an object exists exactly as long as it has a replica that is complete. A commit that comes
 * after the object or its value has gone finds nothing to commit.
 */
final class ReplicaAdditions {
  /** One that is being written, in the order of their deadlines. */
  private record Addition(long deadlineMillis, int replica) implements Comparable<Addition> {
    @Override
    public int compareTo(Addition other) {
      int byDeadline = Long.compare(deadlineMillis, other.deadlineMillis);
      return byDeadline != 0 ? byDeadline : Integer.compare(replica, other.replica);
    }
  }

  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;
  private final TreeSet<Addition> open = new TreeSet<>();

  ReplicaAdditions(IndexCore core) {
    this.core = core;
    objects = core.objects;
    replicas = core.replicas;
  }

  /** Whether an object may get replicas in those extents. */
  ErrorCode check(int row, ExtentList extents) {
    ErrorCode code = core.checkExtents(extents);
    for (int i = 0; code == ErrorCode.OK && i < extents.size(); i++) {
      if (core.replicaIn(row, extents.slot(i)) != 0 || isTwice(extents, i)) {
        code = ErrorCode.REPLICA_ALREADY_EXISTS;
      }
    }
    return code;
  }

  private static boolean isTwice(ExtentList extents, int index) {
    for (int i = 0; i < index; i++) {
      if (extents.slot(i) == extents.slot(index)) {
        return true;
      }
    }
    return false;
  }

  /** Starts what {@link #check} has found to be right. */
  void start(int row, ExtentList extents, long grantEndMillis, StartedWrite added) {
    added.begin(objects.version(row));
    int last = core.lastReplica(row);
    for (int i = 0; i < extents.size(); i++) {
      last =
          core.addReplica(
              row,
              last,
              IndexCore.MEMORY,
              IndexCore.PROCESSING,
              extents.slot(i),
              extents.generation(i),
              extents.offsetUnits(i),
              extents.node(i));
      core.hold(last, grantEndMillis);
      open.add(new Addition(grantEndMillis, last));
      added.add(core.replicaId(last));
    }
  }

  /** Makes one complete that is not; settle its row afterwards. */
  void commit(int replica) {
    forget(replica);
    core.removeHold(replica);
    replicas.status(replica, IndexCore.COMPLETE);
    core.stats.replicasAdded++;
    core.promotions.committed(replicas.object(replica), replica);
  }

  /** A replica goes whose status is PROCESSING, of an object that is complete. */
  void dropped(int replica) {
    forget(replica);
  }

  /** Whether a replica is being added. */
  boolean contains(int replica) {
    return open.contains(new Addition(core.heldUntil(replica), replica));
  }

  /** Its hold is its deadline: nobody else may hold a replica that is not complete. */
  private void forget(int replica) {
    open.remove(new Addition(core.heldUntil(replica), replica));
  }

  /** How many are being added. */
  int underWay() {
    return open.size();
  }

  /** When the next one is overdue, in milliseconds, or {@link Long#MAX_VALUE}. */
  long nextMillis() {
    return open.isEmpty() ? Long.MAX_VALUE : open.first().deadlineMillis + 1;
  }

  /** Gives up what was not committed within its grant. Answers whether none is left of that. */
  boolean reap(BooleanSupplier mayContinue) {
    while (nextMillis() <= core.now()) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      int replica = open.first().replica;
      int row = replicas.object(replica);
      core.promotions.expired(row, replica);
      core.dropReplica(replica);
      core.stats.replicasReaped++;
      core.settle(row);
    }
    return true;
  }
}
