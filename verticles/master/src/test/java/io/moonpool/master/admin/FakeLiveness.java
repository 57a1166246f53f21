package io.moonpool.master.admin;

import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.core.liveness.OfflineBreaker;
import io.moonpool.master.heartbeat.PingRecorder;
import io.moonpool.master.monitor.BreakerState;
import io.moonpool.master.monitor.LivenessOperations;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/** A monitor that keeps one node from going OFFLINE until that is confirmed. */
public final class FakeLiveness implements LivenessOperations, PingRecorder {
  public static final UUID HELD = new UUID(5, 6);
  private boolean holding = true;

  @Override
  public Future<BreakerState> breaker() {
    return Future.succeededFuture(
        new BreakerState(
            true, holding, OfflineBreaker.Reason.SHARE, holding ? List.of(HELD) : List.of(), 2));
  }

  @Override
  public Future<BreakerState> confirmOffline() {
    if (!holding) {
      return Future.failedFuture(
          new StoreException(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, "nothing to confirm"));
    }
    Future<BreakerState> before = breaker();
    holding = false;
    return before;
  }

  @Override
  public PingStatus record(int slot, long incarnation) {
    return incarnation == 1
        ? PingStatus.OK
        : incarnation == 2 ? PingStatus.SUSPECTED : PingStatus.NEED_REMOUNT;
  }

  @Override
  public int masterEpoch() {
    return 7;
  }

  @Override
  public int viewVersion() {
    return 8;
  }

  @Override
  public ObservedClock clock() {
    throw new UnsupportedOperationException();
  }
}
