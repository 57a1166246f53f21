package io.moonpool.core.index;

import io.moonpool.model.ErrorCode;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/**
 * Visiting all objects, in steps.
 *
 * <p>A walk goes through the rows in the order of their numbers. An object keeps its row for life,
 * whatever happens to tables and keys meanwhile; so an object that is there throughout is visited
 * exactly once. A cursor is a row and a shard, which says whose rows are meant: the loop's that
 * owns it.
 */
final class Walks {
  /** The first number behind all cursors. */
  static final long END = (long) ObjectIndex.SHARDS << Rows.ROW_BITS;

  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;
  private final ObjectView view;

  Walks(IndexCore core) {
    this.core = core;
    objects = core.objects;
    replicas = core.replicas;
    view = new ObjectView(core);
  }

  /** The shard that a cursor goes on with. */
  static int shardOf(long cursor) {
    return (int) (cursor >>> Rows.ROW_BITS);
  }

  /** The cursor that goes on with a row; 0 behind the last shard. */
  static long cursor(int shard, int row) {
    return shard == ObjectIndex.SHARDS ? 0 : ((long) shard << Rows.ROW_BITS) | row;
  }

  private long walk(long cursor, BooleanSupplier mayContinue, IntPredicate step) {
    int shard = core.shard(shardOf(cursor)).number;
    // Row 0 does not exist.
    for (int row = Math.max(1, (int) cursor & Rows.ROW_MASK); row < objects.limit(); row++) {
      if (!mayContinue.getAsBoolean()) {
        return cursor(shard, row);
      }
      if (objects.has(row, ObjectRows.COMPLETE) && !step.test(row)) {
        return cursor(shard, row + 1);
      }
    }
    return cursor(core.endShard(), 0);
  }

  long visit(long cursor, BooleanSupplier mayContinue, ObjectVisitor visitor) {
    return walk(cursor, mayContinue, (row) -> !isThere(row) || visitor.visit(view.at(row)));
  }

  ErrorCode describe(ObjectKey key, ObjectVisitor visitor) {
    int row = core.find(key);
    if (row == 0 || core.isOverdue(row)) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    visitor.visit(view.at(row));
    return ErrorCode.OK;
  }

  /** Some segment still has the object. */
  private boolean isThere(int row) {
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      int slot = replicas.slot(r);
      if (core.segments.isLive(slot, core.slots.generation(slot))) {
        return true;
      }
    }
    return false;
  }
}
