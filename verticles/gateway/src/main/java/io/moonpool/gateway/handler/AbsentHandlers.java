package io.moonpool.gateway.handler;

import io.moonpool.master.api.CallTable;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.mooncake.ObjectCalls;
import io.moonpool.protocol.mooncake.SegmentCalls;
import io.vertx.core.Future;
import java.util.List;

/** Calls for what is not offered here. They answer as a master of Mooncake that lacks it. */
public final class AbsentHandlers {
  /** Handlers that refuse. */
  public AbsentHandlers() {}

  /** Adds them to a listener. */
  public void addTo(CallTable calls) {
    calls
        .on(SegmentCalls.MOUNT_NOF_SEGMENT, ignored -> noNamespaces())
        .on(SegmentCalls.RE_MOUNT_NOF_SEGMENT, ignored -> noNamespaces())
        .on(SegmentCalls.UNMOUNT_NOF_SEGMENT, ignored -> noNamespaces())
        .on(SegmentCalls.GET_ALL_NOF_SEGMENTS, ignored -> Future.succeededFuture(List.of()))
        .on(
            SegmentCalls.GET_NOF_SEGMENTS_BY_NAME,
            ignored -> Future.failedFuture(new StoreException(ErrorCode.SEGMENT_NOT_FOUND)))
        .on(
            ObjectCalls.BATCH_REPLICA_CLEAR,
            ignored ->
                Future.failedFuture(
                    new StoreException(
                        ErrorCode.UNAVAILABLE_IN_CURRENT_MODE,
                        "replicas are not taken off segments one by one: remove the objects")));
  }

  private static <T> Future<T> noNamespaces() {
    return Future.failedFuture(
        new StoreException(
            ErrorCode.UNAVAILABLE_IN_CURRENT_MODE, "remote NVMe namespaces are not offered here"));
  }
}
