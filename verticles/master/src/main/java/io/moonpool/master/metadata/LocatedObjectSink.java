package io.moonpool.master.metadata;

import io.moonpool.core.index.LocationSink;
import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.protocol.call.LocatedObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns what the index tells of an object's place into an answer; filled again for each object. */
final class LocatedObjectSink implements LocationSink {
  private final long leaseMillis;
  private long version;
  private long size;
  private Checksum checksum = Checksum.NONE;
  private @Nullable ReplicaDescriptor first;
  private @Nullable List<ReplicaDescriptor> more;

  LocatedObjectSink(long leaseMillis) {
    this.leaseMillis = leaseMillis;
  }

  @Override
  public void object(long version, long size, ChecksumKind kind, long value, int[] blocks) {
    this.version = version;
    this.size = size;
    this.checksum = kind == ChecksumKind.NONE ? Checksum.NONE : new Checksum(kind, value, blocks);
    first = null;
    more = null;
  }

  @Override
  public void replica(long id, ReplicaType type, long generation, long offset) {
    ReplicaDescriptor replica =
        new ReplicaDescriptor(id, type, ReplicaStatus.COMPLETE, generation, offset, size);
    List<ReplicaDescriptor> others = more;
    if (first == null) {
      first = replica;
    } else if (others == null) {
      others = new ArrayList<>(4);
      others.add(first);
      others.add(replica);
      more = others;
    } else {
      others.add(replica);
    }
  }

  /** The answer. */
  LocatedObject take() {
    ReplicaDescriptor only = first;
    if (only == null) {
      throw new IllegalStateException("an object was located without a replica");
    }
    List<ReplicaDescriptor> replicas = more == null ? List.of(only) : List.copyOf(more);
    return new LocatedObject(version, size, leaseMillis, checksum, replicas);
  }
}
