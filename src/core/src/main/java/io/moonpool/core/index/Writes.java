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
  private final ObjectRows objects;

  Writes(IndexCore core) {
    this.core = core;
    objects = core.objects;
  }

  ErrorCode checkPutStart(ObjectKey key, long size) {
    ErrorCode invalid = checkKeyAndSize(key, size);
    if (invalid != ErrorCode.OK) {
      return invalid;
    }
    int row = core.find(key);
    if (row != 0) {
      row = core.withoutOverdueWrite(row);
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
      code = core.checkExtents(extents);
    }
    if (code != ErrorCode.OK) {
      return code;
    }
    core.begin(core.shard(key), core.create(key, group), size, terms, extents, started);
    core.stats.putsStarted++;
    return ErrorCode.OK;
  }

  ErrorCode checkUpsertStart(ObjectKey key, long size, @Nullable String group) {
    ErrorCode invalid = checkKeyAndSize(key, size);
    if (invalid != ErrorCode.OK) {
      return invalid;
    }
    int row = core.find(key);
    if (row == 0 || !objects.has(row, ObjectRows.COMPLETE)) {
      return ErrorCode.OK;
    }
    if (group != null && !group.equals(groupOf(row))) {
      return ErrorCode.INVALID_PARAMS;
    }
    return core.transfers.isInTheWay(row) ? ErrorCode.OBJECT_HAS_REPLICATION_TASK : ErrorCode.OK;
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
      code = core.checkExtents(extents);
    }
    if (code != ErrorCode.OK) {
      return code;
    }
    int row = displaceWrite(core.shard(key).find(key));
    int write = row == 0 ? core.create(key, group) : core.createShadow(row);
    core.begin(core.shard(key), write, size, terms, extents, started);
    core.stats.upsertsStarted++;
    return ErrorCode.OK;
  }

  private String groupOf(int row) {
    Membership membership = core.memberships.get(row);
    return membership == null ? "" : membership.group.id();
  }

  /** Gives up a write in progress of that row. Answers the complete object that is left, or 0. */
  private int displaceWrite(int row) {
    if (row == 0) {
      return 0;
    }
    int write = core.write(row);
    if (write == 0) {
      return row;
    }
    core.abandon(write);
    core.stats.writesDisplaced++;
    return write == row ? 0 : row;
  }

  ErrorCode end(ObjectKey key, UUID writer, long version, Checksum checksum) {
    int row = core.find(key);
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    int write = core.write(row);
    if (write != 0 && isMeant(write, version)) {
      if (!mayFinish(write, writer, version)) {
        return ErrorCode.ILLEGAL_CLIENT;
      }
      int object = write == row ? 0 : row;
      if (core.floors.needed(object, key.hash())) {
        if (core.floors.refused()) {
          return ErrorCode.PERSISTENT_FAIL;
        }
        core.floors.raise(object, key.hash(), objects.version(write));
      }
      core.complete(write, checksum);
      return ErrorCode.OK;
    }
    if (objects.has(row, ObjectRows.COMPLETE) && isMeant(row, version)) {
      return mayFinish(row, writer, version) ? ErrorCode.OK : ErrorCode.ILLEGAL_CLIENT;
    }
    return isWriter(write == 0 ? row : write, writer)
        ? ErrorCode.INVALID_WRITE
        : ErrorCode.ILLEGAL_CLIENT;
  }

  ErrorCode revoke(ObjectKey key, UUID writer, long version) {
    int row = core.find(key);
    if (row == 0) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    int write = core.write(row);
    if (!isWriter(write == 0 ? row : write, writer)) {
      return ErrorCode.ILLEGAL_CLIENT;
    }
    if (write == 0 || !isMeant(write, version)) {
      return ErrorCode.INVALID_WRITE;
    }
    if (!mayFinish(write, writer, version)) {
      return ErrorCode.ILLEGAL_CLIENT;
    }
    core.abandon(write);
    core.stats.writesRevoked++;
    return ErrorCode.OK;
  }

  /** Gives up writes that were not ended within their grant. Answers whether none is left. */
  boolean reap(BooleanSupplier mayContinue) {
    LeaseOrder writes = core.orders.writes;
    while (writes.firstKey() < core.now()) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      core.abandon(writes.first());
      core.stats.writesReaped++;
    }
    return true;
  }

  private boolean isMeant(int row, long version) {
    return version == ObjectIndex.ANY_VERSION || objects.version(row) == version;
  }

  /** Who knows no version must be known: a version alone shows that a writer is the right one. */
  private boolean mayFinish(int row, UUID writer, long version) {
    boolean known = objects.writer(row) != Writers.UNKNOWN;
    return isWriter(row, writer) && (known || version != ObjectIndex.ANY_VERSION);
  }

  private boolean isWriter(int row, UUID writer) {
    return core.writers.is(
        objects.writer(row), writer.getMostSignificantBits(), writer.getLeastSignificantBits());
  }

  private static ErrorCode checkKeyAndSize(ObjectKey key, long size) {
    if (key.length() > KeyBatch.MAX_KEY_BYTES) {
      return ErrorCode.INVALID_KEY;
    }
    return key.length() < 1 || size < 1 || size > ObjectRows.MAX_SIZE
        ? ErrorCode.INVALID_PARAMS
        : ErrorCode.OK;
  }
}
