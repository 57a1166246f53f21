package io.moonpool.master.disk;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.master.loop.MasterLoop;
import io.moonpool.master.metadata.DiskWorkListener;
import io.moonpool.model.Outcome;
import io.moonpool.protocol.call.AckTombstones;
import io.moonpool.protocol.call.DiskWork;
import io.moonpool.protocol.call.DropDiskObjects;
import io.moonpool.protocol.call.MemoryOnly;
import io.moonpool.protocol.call.OffloadSegment;
import io.moonpool.protocol.call.ReportDiskObjects;
import io.moonpool.protocol.call.SettleOffloads;
import io.moonpool.protocol.call.SettlePromotions;
import io.moonpool.protocol.call.TakeDiskWork;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The way to the verticle that answers nodes about their disks. Any context may call. */
public final class DiskOwner implements DiskOperations, DiskWorkListener {
  private final MasterLoop loop;

  // Set before the verticle is deployed, which publishes it.
  private volatile @Nullable DiskVerticle owner;

  /** A way to a verticle on that loop. */
  public DiskOwner(MasterLoop loop) {
    this.loop = loop;
  }

  /** The verticle that it leads to. */
  public void lead(DiskVerticle to) {
    owner = to;
  }

  private DiskVerticle owner() {
    DiskVerticle present = owner;
    if (present == null) {
      throw new IllegalStateException("it leads nowhere yet");
    }
    return present;
  }

  @Override
  public void workFor(SegmentMount disk) {
    loop.queue().post(() -> owner().workFor(disk));
  }

  @Override
  public Future<List<Outcome<Void>>> report(ReportDiskObjects request) {
    return loop.call(() -> owner().report(request));
  }

  @Override
  public Future<DiskWork> take(TakeDiskWork request) {
    return loop.call(() -> owner().take(request));
  }

  @Override
  public Future<List<Outcome<Void>>> settle(SettleOffloads request) {
    return loop.call(() -> owner().settle(request));
  }

  @Override
  public Future<List<Outcome<Void>>> settle(SettlePromotions request) {
    return loop.call(() -> owner().settle(request));
  }

  @Override
  public Future<List<Outcome<Void>>> drop(DropDiskObjects request) {
    return loop.call(() -> owner().drop(request));
  }

  @Override
  public Future<MemoryOnly> offload(OffloadSegment request) {
    return loop.call(() -> owner().offload(request));
  }

  @Override
  public Future<Void> acknowledge(AckTombstones request) {
    return loop.call(() -> owner().acknowledge(request));
  }
}
