package io.moonpool.core.index;

import io.moonpool.model.ErrorCode;
import java.util.function.BooleanSupplier;

/**
 * Visiting all objects, in steps.
 *
 * <p>A walk goes through the rows of each shard in the order of their numbers. An object keeps its
 * row for life, whatever happens to tables and keys meanwhile; so an object that is there
 * throughout is visited exactly once. A cursor is a shard and a row.
 */
final class Walks {
  private final IndexCore core;
  private final Removals removals;
  private final ObjectView view;

  Walks(IndexCore core, Removals removals) {
    this.core = core;
    this.removals = removals;
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

  /** Does something with an object; answers false to stop after it. */
  private interface Step {
    boolean take(Shard shard, int row);
  }

  private long walk(long cursor, BooleanSupplier mayContinue, Step step) {
    int number = shardOf(cursor);
    int row = (int) cursor & Rows.ROW_MASK;
    for (core.shard(number); core.owns(number); number++, row = 0) {
      Shard shard = core.shard(number);
      // Row 0 does not exist.
      for (row = Math.max(1, row); row < shard.objects.limit(); row++) {
        if (!mayContinue.getAsBoolean()) {
          return cursor(number, row);
        }
        if (shard.objects.has(row, ObjectRows.COMPLETE) && !step.take(shard, row)) {
          return cursor(number, row + 1);
        }
      }
    }
    return cursor(number, 0);
  }

  long visit(long cursor, BooleanSupplier mayContinue, ObjectVisitor visitor) {
    return walk(
        cursor,
        mayContinue,
        (shard, row) -> !isThere(shard, row) || visitor.visit(view.at(shard, row)));
  }

  Removed remove(long cursor, KeyPredicate predicate, boolean force, BooleanSupplier mayContinue) {
    long before = core.stats.objectsRemoved;
    long next =
        walk(
            cursor,
            mayContinue,
            (shard, row) -> {
              int address = shard.objects.keyAddress(row);
              if (predicate.test(
                  shard.keys.tenant(address),
                  shard.keys.page(address),
                  shard.keys.keyOffset(address),
                  shard.keys.keyLength(address))) {
                removals.remove(shard, row, force);
              }
              return true;
            });
    return new Removed(next, core.stats.objectsRemoved - before);
  }

  ErrorCode describe(ObjectKey key, ObjectVisitor visitor) {
    Shard shard = core.shard(key);
    int row = core.find(shard, key);
    if (row == 0 || core.isOverdue(shard, row)) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    visitor.visit(view.at(shard, row));
    return ErrorCode.OK;
  }

  /** Some segment still has the object. */
  private boolean isThere(Shard shard, int row) {
    for (int r = shard.objects.firstReplica(row); r != 0; r = shard.replicas.nextOfObject(r)) {
      int slot = shard.replicas.slot(r);
      if (core.segments.isLive(slot, core.slots.generation(slot))) {
        return true;
      }
    }
    return false;
  }
}
