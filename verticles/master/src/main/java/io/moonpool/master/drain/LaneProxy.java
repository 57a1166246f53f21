package io.moonpool.master.drain;

import io.moonpool.master.metadata.DrainProxy;
import io.moonpool.master.metadata.LaneBatch;
import io.moonpool.master.metadata.LanePlan;
import io.moonpool.master.metadata.LaneSpec;
import io.moonpool.master.metadata.LaneStatus;
import io.moonpool.master.metadata.StartedTransfer;
import io.moonpool.master.metadata.TransferRequest;
import io.moonpool.master.metadata.UnitRef;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lanes of a running master. */
final class LaneProxy implements Lanes {
  private static final Logger LOG = LoggerFactory.getLogger(LaneProxy.class);

  private final DrainProxy metadata;

  LaneProxy(DrainProxy metadata) {
    this.metadata = metadata;
  }

  @Override
  public int count() {
    return metadata.loops();
  }

  @Override
  public Future<Void> open(LaneSpec spec) {
    return metadata.openLane(spec);
  }

  @Override
  public Future<LaneBatch> take(int lane, UUID job, int maxUnits, long maxBytes) {
    return metadata.take(lane, job, maxUnits, maxBytes);
  }

  @Override
  public void again(int lane, UUID job, UnitRef unit) {
    logged(metadata.again(lane, job, unit));
  }

  @Override
  public void fail(int lane, UUID job, UnitRef unit) {
    logged(metadata.fail(lane, job, unit));
  }

  @Override
  public Future<LaneStatus> status(UUID job) {
    return metadata.status(job);
  }

  @Override
  public void close(UUID job) {
    logged(metadata.closeLane(job));
  }

  private static void logged(Future<Void> done) {
    done.onFailure(failure -> LOG.error("a lane does not answer; this is a bug", failure));
  }

  @Override
  public Future<StartedTransfer> start(TransferRequest request) {
    return metadata
        .start(request)
        .compose(
            started ->
                started.ok()
                    ? Future.succeededFuture(started.get())
                    : Future.failedFuture(new StoreException(started.code())));
  }

  @Override
  public void wantSpace() {
    metadata.wantSpace();
  }

  @Override
  public Future<ErrorCode> end(StartedTransfer transfer) {
    return metadata.end(transfer.id());
  }

  @Override
  public Future<Void> revoke(StartedTransfer transfer) {
    return metadata.revoke(transfer.id()).mapEmpty();
  }

  @Override
  public Future<LanePlan> plan(LaneSpec spec) {
    return metadata.plan(spec);
  }
}
