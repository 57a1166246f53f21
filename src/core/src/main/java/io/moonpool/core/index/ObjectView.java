package io.moonpool.core.index;

import io.moonpool.core.allocation.Extent;
import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An object as {@link ObjectIndex#describe} and {@link ObjectIndex#walk} show it. The same view is
 * pointed at one object after the other: take what is needed during the call, do not keep it.
 */
public final class ObjectView {
  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;
  private final KeySlab keys;
  private int row;

  ObjectView(IndexCore core) {
    this.core = core;
    objects = core.objects;
    replicas = core.replicas;
    keys = core.keys;
  }

  ObjectView at(int row) {
    this.row = row;
    return this;
  }

  /** The tenant's small number. */
  public int tenant() {
    return keys.tenant(objects.keyAddress(row));
  }

  /** An array that starts with the key, and is filled again for the next one. */
  public byte[] keyBytes() {
    return keys.key(objects.keyAddress(row));
  }

  /** The length of the key in bytes. */
  public int keyLength() {
    return keys.keyLength(objects.keyAddress(row));
  }

  /** The key as text. */
  public String key() {
    return new String(keyBytes(), 0, keyLength(), StandardCharsets.UTF_8);
  }

  /** True when a write of it has completed. */
  public boolean complete() {
    return objects.has(row, ObjectRows.COMPLETE);
  }

  /** Bytes. */
  public long size() {
    return objects.size(row);
  }

  /** Names its last write. */
  public long version() {
    return objects.version(row);
  }

  /** The checksum that its writer gave. */
  public Checksum checksum() {
    if (!complete()) {
      return Checksum.NONE;
    }
    return new Checksum(
        ChecksumKind.ofNumber(objects.checksumKind(row)),
        objects.checksum(row),
        core.blockChecksums(row));
  }

  /** How long its lease still is, in milliseconds; 0 when none is live. */
  public long leaseRemainingMillis() {
    return complete() ? Math.max(0, objects.protectionEnd(row) - core.now()) : 0;
  }

  /** How long its soft pin still is, in milliseconds; 0 when none is live. */
  public long softPinRemainingMillis() {
    return objects.has(row, ObjectRows.SOFT_PINNED)
        ? Math.max(0, core.softPins.deadline(row) - core.now())
        : 0;
  }

  /** Never evicted. */
  public boolean hardPinned() {
    return objects.has(row, ObjectRows.HARD_PINNED);
  }

  /** As its writer classified it. */
  public ObjectDataType dataType() {
    return ObjectDataType.ofNumber(objects.dataType(row));
  }

  /** The id of its group, or empty. */
  public String group() {
    Membership membership = core.memberships.get(row);
    return membership == null ? "" : membership.group.id();
  }

  /** Its replicas on segments that are there, in stored order. */
  public List<ReplicaDescriptor> replicas() {
    List<ReplicaDescriptor> described = new ArrayList<>(2);
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      int slot = replicas.slot(r);
      long generation = core.slots.generation(slot);
      if (core.segments.isLive(slot, generation)) {
        described.add(
            new ReplicaDescriptor(
                core.replicaId(r),
                ReplicaType.ofNumber(replicas.type(r)),
                ReplicaStatus.ofNumber(replicas.status(r)),
                generation,
                replicas.offsetUnits(r) * Extent.UNIT,
                size()));
      }
    }
    return described;
  }

  /** All of it, as a value to keep. */
  public ObjectInfo info(String tenantName) {
    return new ObjectInfo(
        tenantName,
        key(),
        size(),
        version(),
        checksum(),
        leaseRemainingMillis(),
        softPinRemainingMillis(),
        hardPinned(),
        dataType(),
        group(),
        replicas());
  }
}
