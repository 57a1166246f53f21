package io.moonpool.master;

import io.moonpool.master.metadata.MetadataProxy;
import io.moonpool.master.monitor.ClientMonitorProxy;
import io.moonpool.master.segment.SegmentProxy;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientProtocol;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.call.HelloAnswer;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.ObjectPage;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.call.RemoveObjects;
import io.moonpool.protocol.call.RevokeObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.moonpool.protocol.call.UnmountSegment;
import io.moonpool.protocol.call.UnregisterNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Hands each call to the proxy of its owner, and counts. Any context. */
final class OwnerOperations implements MasterOperations {
  private final HelloAnswer self;
  private final MetadataProxy metadata;
  private final SegmentProxy segments;
  private final ClientMonitorProxy monitor;
  private final CallMeters meters;

  OwnerOperations(
      HelloAnswer self,
      MetadataProxy metadata,
      SegmentProxy segments,
      ClientMonitorProxy monitor,
      CallMeters meters) {
    this.self = self;
    this.metadata = metadata;
    this.segments = segments;
    this.monitor = monitor;
    this.meters = meters;
  }

  @Override
  public Future<HelloAnswer> hello(Hello request) {
    return meters.count(MasterCall.HELLO, agree(request));
  }

  private Future<HelloAnswer> agree(Hello request) {
    if (request.protocolVersion() < 1) {
      return Future.failedFuture(
          new StoreException(
              ErrorCode.INVALID_VERSION,
              "protocol version "
                  + request.protocolVersion()
                  + " does not exist: this master speaks 1 to "
                  + Hello.VERSION));
    }
    return Future.succeededFuture(
        new HelloAnswer(
            Math.min(request.protocolVersion(), self.protocolVersion()),
            self.serverVersion(),
            self.clusterId(),
            self.masterEpoch(),
            self.leaseTtlMillis(),
            self.writeGrantMillis(),
            self.heartbeatPort()));
  }

  @Override
  public Future<List<Outcome<StartedObject>>> putStart(
      StartObjects request, ClientProtocol writer) {
    return meters.countBatch(
        MasterCall.PUT_START, request.keys().size(), () -> metadata.putStart(request, writer));
  }

  @Override
  public Future<List<Outcome<StartedObject>>> upsertStart(
      StartObjects request, ClientProtocol writer) {
    return meters.countBatch(
        MasterCall.UPSERT_START,
        request.keys().size(),
        () -> metadata.upsertStart(request, writer));
  }

  @Override
  public Future<List<Outcome<Void>>> end(EndObjects request) {
    return meters.countBatch(MasterCall.END, request.keys().size(), () -> metadata.end(request));
  }

  @Override
  public Future<List<Outcome<Void>>> revoke(RevokeObjects request) {
    return meters.countBatch(
        MasterCall.REVOKE, request.keys().size(), () -> metadata.revoke(request));
  }

  @Override
  public Future<List<Outcome<LocatedObject>>> locate(NamedObjects request) {
    return meters.countBatch(
        MasterCall.LOCATE, request.keys().size(), () -> metadata.locate(request));
  }

  @Override
  public Future<List<Outcome<Boolean>>> exists(NamedObjects request) {
    return meters.countBatch(
        MasterCall.EXISTS, request.keys().size(), () -> metadata.exists(request));
  }

  @Override
  public Future<List<Outcome<ObjectInfo>>> describe(NamedObjects request) {
    return meters.countBatch(
        MasterCall.DESCRIBE, request.keys().size(), () -> metadata.describe(request));
  }

  @Override
  public Future<List<Outcome<Void>>> remove(RemoveObjects request) {
    return meters.countBatch(
        MasterCall.REMOVE, request.keys().size(), () -> metadata.remove(request));
  }

  @Override
  public Future<Long> removeMatching(RemoveMatching request) {
    return removeMatching(request, () -> false);
  }

  @Override
  public Future<Long> removeMatching(RemoveMatching request, BooleanSupplier callerGone) {
    return meters.count(MasterCall.REMOVE_MATCHING, metadata.removeMatching(request, callerGone));
  }

  @Override
  public Future<ObjectPage> list(ListObjects request) {
    return list(request, () -> false);
  }

  @Override
  public Future<ObjectPage> list(ListObjects request, BooleanSupplier callerGone) {
    return meters.count(MasterCall.LIST, metadata.list(request, callerGone));
  }

  @Override
  public Future<NodeRegistration> registerNode(RegisterNode request) {
    return meters.count(MasterCall.REGISTER_NODE, monitor.register(request));
  }

  @Override
  public Future<Void> unregisterNode(UnregisterNode request) {
    return meters.count(MasterCall.UNREGISTER_NODE, monitor.unregister(request));
  }

  @Override
  public Future<List<Outcome<Long>>> mountSegments(MountSegments request) {
    return mountSegments(request, () -> false);
  }

  @Override
  public Future<List<Outcome<Long>>> mountSegments(
      MountSegments request, BooleanSupplier callerGone) {
    return meters.countBatch(
        MasterCall.MOUNT_SEGMENTS,
        request.segments().size(),
        () -> segments.mount(request, callerGone));
  }

  @Override
  public Future<Void> unmountSegment(UnmountSegment request) {
    return meters.count(MasterCall.UNMOUNT_SEGMENT, segments.unmount(request));
  }

  @Override
  public Future<List<SegmentInfo>> describeSegments(DescribeSegments request) {
    return meters.count(MasterCall.DESCRIBE_SEGMENTS, segments.describe(request));
  }

  @Override
  public Future<List<ClientInfo>> clients() {
    return meters.count(MasterCall.CLIENTS, monitor.list());
  }
}
