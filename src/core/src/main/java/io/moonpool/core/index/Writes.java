package io.moonpool.core.index;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Puts and upserts from their start to their end or revocation. */
final class Writes {
  private final IndexCore core;

  Writes(IndexCore core) {
    this.core = core;
  }

  ErrorCode checkPutStart(ObjectKey key, long size) {
    ErrorCode invalid = checkKeyAndSize(key, size);
    if (invalid != ErrorCode.OK) {
      return invalid;
    }
    Shard shard = core.shard(key);
    int row = core.find(shard, key);
    if (row != 0) {
      row = core.withoutOverdueWrite(shard, row);
    }
    return row == 0 ? ErrorCode.OK : ErrorCode.OBJECT_ALREADY_EXISTS;
  }

  ErrorCode putStart(
      ObjectKey key,
      long size,
      WriteTerms terms,
      @Nullable String group,
      ExtentList extents,
      StartedWrite started) {
    ErrorCode code = checkPutStart(key, size);
    if (code == ErrorCode.OK) {
      code = checkExtents(extents);
    }
    if (code != ErrorCode.OK) {
      return code;
    }
    Shard shard = core.shard(key);
    core.begin(shard, core.create(shard, key, group), size, terms, extents, started);
    core.stats.putsStarted++;
    return ErrorCode.OK;
  }

  ErrorCode checkUpsertStart(ObjectKey key, long size, @Nullable String group) {
    ErrorCode invalid = checkKeyAndSize(key, size);
    if (invalid != ErrorCode.OK) {
      return invalid;
    }
    Shard shard = core.shard(key);
    int row = core.find(shard, key);
    if (row == 0 || !shard.objects.has(row, ObjectRows.COMPLETE)) {
      return ErrorCode.OK;
    }
    if (group != null && !group.equals(groupOf(shard, row))) {
      return ErrorCode.INVALID_PARAMS;
    }
    if (shard.objects.has(row, ObjectRows.REPLICATING)) {
      return ErrorCode.OBJECT_HAS_REPLICATION_TASK;
    }
    for (int r = shard.objects.firstReplica(row); r != 0; r = shard.replicas.nextOfObject(r)) {
      if (shard.replicas.references(r) > 0) {
        return ErrorCode.OBJECT_REPLICA_BUSY;
      }
    }
    return ErrorCode.OK;
  }

  ErrorCode upsertStart(
      ObjectKey key,
      long size,
      WriteTerms terms,
      @Nullable String group,
      ExtentList extents,
      StartedWrite started) {
    ErrorCode code = checkUpsertStart(key, size, group);
    if (code == ErrorCode.OK) {
      code = checkExtents(extents);
    }
    if (code != ErrorCode.OK) {
      return code;
    }
    Shard shard = core.shard(key);
    int row = displaceWrite(shard, shard.table.find(key));
    int write = row == 0 ? core.create(shard, key, group) : core.createShadow(shard, row);
    core.begin(shard, write, size, terms, extents, started);
    core.stats.upsertsStarted++;
    return ErrorCode.OK;
  }

  private static String groupOf(Shard shard, int row) {
    Membership membership = shard.memberships.get(row);
    return membership == null ? "" : membership.group.id();
  }

  /** Gives up a write in progress of that row. Answers the complete object that is left, or 0. */
  private int displaceWrite(Shard shard, int row) {
    if (row == 0) {
      return 0;
    }
    int write = core.write(shard, row);
    if (write == 0) {
      return row;
    }
    core.abandon(shard, write);
    core.stats.writesDisplaced++;
    return write == row ? 0 : row;
  }

  ErrorCode end(ObjectKey key, UUID writer, long version, Checksum checksum) {
    Shard shard = core.shard(key);
    int row = core.find(shard, key);
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    int write = core.write(shard, row);
    if (write != 0 && shard.objects.version(write) == version) {
      if (!isWriter(shard, write, writer)) {
        return ErrorCode.ILLEGAL_CLIENT;
      }
      core.complete(shard, write, checksum);
      return ErrorCode.OK;
    }
    if (shard.objects.has(row, ObjectRows.COMPLETE) && shard.objects.version(row) == version) {
      return isWriter(shard, row, writer) ? ErrorCode.OK : ErrorCode.ILLEGAL_CLIENT;
    }
    return isWriter(shard, write == 0 ? row : write, writer)
        ? ErrorCode.INVALID_WRITE
        : ErrorCode.ILLEGAL_CLIENT;
  }

  ErrorCode revoke(ObjectKey key, UUID writer, long version) {
    Shard shard = core.shard(key);
    int row = core.find(shard, key);
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    int write = core.write(shard, row);
    if (!isWriter(shard, write == 0 ? row : write, writer)) {
      return ErrorCode.ILLEGAL_CLIENT;
    }
    if (write == 0 || shard.objects.version(write) != version) {
      return ErrorCode.INVALID_WRITE;
    }
    core.abandon(shard, write);
    core.stats.writesRevoked++;
    return ErrorCode.OK;
  }

  /** Gives up writes that were not ended within their grant. Answers whether none is left. */
  boolean reap(BooleanSupplier mayContinue) {
    while (core.orders.firstGrantEnd() < core.now()) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      Shard shard = core.orders.firstWriteShard();
      core.abandon(shard, shard.writes.first());
      core.stats.writesReaped++;
    }
    return true;
  }

  private boolean isWriter(Shard shard, int row, UUID writer) {
    return core.writers.is(
        shard.objects.writer(row),
        writer.getMostSignificantBits(),
        writer.getLeastSignificantBits());
  }

  private static ErrorCode checkKeyAndSize(ObjectKey key, long size) {
    if (key.length() > KeyBatch.MAX_KEY_BYTES) {
      return ErrorCode.INVALID_KEY;
    }
    return key.length() < 1 || size < 1 || size > ObjectRows.MAX_SIZE
        ? ErrorCode.INVALID_PARAMS
        : ErrorCode.OK;
  }

  private ErrorCode checkExtents(ExtentList extents) {
    if (extents.size() == 0) {
      return ErrorCode.INVALID_PARAMS;
    }
    for (int i = 0; i < extents.size(); i++) {
      int slot = extents.slot(i);
      if (slot < 0
          || slot > ReplicaRows.MAX_SLOT
          || extents.offsetUnits(i) > ReplicaRows.MAX_OFFSET_UNITS) {
        return ErrorCode.INVALID_PARAMS;
      }
      if (!core.segments.isLive(slot, extents.generation(i))) {
        return ErrorCode.SEGMENT_NOT_FOUND;
      }
    }
    return ErrorCode.OK;
  }
}
