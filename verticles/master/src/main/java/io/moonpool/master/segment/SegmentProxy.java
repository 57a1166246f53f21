package io.moonpool.master.segment;

import io.moonpool.master.loop.MasterLoop;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.UnmountSegment;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The way to the segment owner. Any context may call; futures complete on it. */
public final class SegmentProxy {
  private final MasterLoop loop;
  private final SegmentVerticle owner;

  /** A proxy of the verticle that is deployed on that loop. */
  public SegmentProxy(MasterLoop loop, SegmentVerticle owner) {
    this.loop = loop;
    this.owner = owner;
  }

  /** See {@link io.moonpool.master.MasterOperations#mountSegments}. */
  public Future<List<Outcome<Long>>> mount(MountSegments request, BooleanSupplier callerGone) {
    return loop.call(() -> owner.mount(request, callerGone));
  }

  /** See {@link io.moonpool.master.MasterOperations#unmountSegment}. */
  public Future<Void> unmount(UnmountSegment request) {
    return loop.call(() -> owner.unmount(request));
  }

  /** See {@link io.moonpool.master.MasterOperations#describeSegments}. */
  public Future<List<SegmentInfo>> describe(DescribeSegments request) {
    return loop.call(() -> Future.succeededFuture(owner.describe(request)));
  }
}
