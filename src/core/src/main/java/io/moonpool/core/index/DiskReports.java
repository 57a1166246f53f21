package io.moonpool.core.index;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.SoftPinAction;

/** Takes over what nodes find on their disks, and gives up what they evict from them. */
final class DiskReports {
  /** Versions from other lives of the master must leave room for those of this one. */
  private static final long MAX_VERSION = 1L << 61;

  private final IndexCore core;
  private final ObjectRows objects;

  DiskReports(IndexCore core) {
    this.core = core;
    objects = core.objects;
  }

  ErrorCode report(ObjectKey key, StoredObject record, int slot, long generation) {
    DiskFloors.Disk disk = core.floors.at(slot, generation);
    if (disk == null) {
      return ErrorCode.SEGMENT_NOT_FOUND;
    }
    if (key.length() > KeyBatch.MAX_KEY_BYTES) {
      return ErrorCode.INVALID_KEY;
    }
    long version = record.version();
    if (key.length() < 1
        || record.size() < 1
        || record.size() > ObjectRows.MAX_SIZE
        || version < 1
        || version > MAX_VERSION
        || Shard.of(version) != key.shard()) {
      return ErrorCode.INVALID_PARAMS;
    }
    if (core.floors.isDead(disk, key.hash(), version)) {
      return dead();
    }
    if (disk.scanned && !core.segments.takesReplicas(slot, generation)) {
      // What was there before a drain is reported by the scan; afterwards nothing comes.
      return ErrorCode.UNABLE_OFFLOADING;
    }
    int row = core.find(key);
    if (row != 0) {
      row = core.withoutOverdueWrite(row);
    }
    if (row == 0) {
      return registerUnlessDead(key, record, disk);
    }
    if (!objects.has(row, ObjectRows.COMPLETE)) {
      return ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS;
    }
    long current = objects.version(row);
    if (version == current) {
      return add(row, record, disk);
    }
    if (version < current) {
      return dead();
    }
    if (objects.has(row, ObjectRows.UPSERTING)) {
      return ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS;
    }
    if (core.floors.patterns().isDead(key, version)) {
      return dead();
    }
    // The index has an older version from another disk, whose floors were lost.
    core.floors.raise(row, key.hash(), version);
    core.dropReplicas(row);
    core.settle(row);
    register(key, record, disk);
    return ErrorCode.OK;
  }

  /** A record of an object that is not in the index: a removal by pattern may have meant it. */
  private ErrorCode registerUnlessDead(ObjectKey key, StoredObject record, DiskFloors.Disk disk) {
    if (core.floors.patterns().isDead(key, record.version())) {
      return dead();
    }
    register(key, record, disk);
    return ErrorCode.OK;
  }

  private ErrorCode dead() {
    core.stats.deadReported++;
    return ErrorCode.INVALID_VERSION;
  }

  private ErrorCode add(int row, StoredObject record, DiskFloors.Disk disk) {
    if (record.size() != objects.size(row)) {
      return ErrorCode.INVALID_PARAMS;
    }
    if (core.replicaIn(row, disk.slot) == 0) {
      core.addDiskReplica(row, disk.slot, disk.generation);
      core.stats.objectsReported++;
    }
    return ErrorCode.OK;
  }

  private void register(ObjectKey key, StoredObject record, DiskFloors.Disk disk) {
    Shard shard = core.shard(key);
    shard.skip(record.version());
    int row = core.create(key, record.group());
    objects.version(row, record.version());
    objects.size(row, record.size());
    objects.protectionEnd(row, core.now());
    objects.dataType(row, record.dataType().number());
    if (record.hardPinned()) {
      objects.set(row, ObjectRows.HARD_PINNED);
    }
    core.storeChecksum(row, record.checksum());
    objects.set(row, ObjectRows.COMPLETE);
    core.addReplica(
        row, 0, IndexCore.LOCAL_DISK, IndexCore.COMPLETE, disk.slot, disk.generation, 0, 0);
    core.count(row);
    if (record.softPinMillis() > 0) {
      core.softPin(row, SoftPinAction.ENABLE, record.softPinMillis());
    }
    core.orders.add(row);
    core.groups.join(row);
    core.stats.objectsReported++;
  }

  ErrorCode evicted(ObjectKey key, long version, int slot, long generation) {
    if (core.floors.at(slot, generation) == null) {
      return ErrorCode.SEGMENT_NOT_FOUND;
    }
    int row = core.find(key);
    if (row == 0 || !objects.has(row, ObjectRows.COMPLETE) || objects.version(row) != version) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    int replica = core.replicaIn(row, slot);
    if (replica == 0) {
      return ErrorCode.REPLICA_NOT_FOUND;
    }
    core.dropReplica(replica);
    core.settle(row);
    return ErrorCode.OK;
  }
}
