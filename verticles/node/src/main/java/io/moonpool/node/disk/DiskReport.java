package io.moonpool.node.disk;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.node.line.MasterLine;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.ReportDiskObjects;
import io.moonpool.storage.ObjectRecord;
import io.moonpool.storage.StoreScan;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the master what is on the disk, page by page, after a mount. What the master says is dead
 * is tombstoned before the report counts as complete. Belongs to an event loop.
 */
final class DiskReport {
  private static final Logger LOG = LoggerFactory.getLogger(DiskReport.class);
  private static final int PAGE = 1_000;
  private static final long BUSY_PAUSE_MILLIS = 100;

  private final DiskMount mount;
  private final StoreScan scan;
  private final DiskWorkers workers;
  private final MasterLine line;
  private final Tombstones tombstones;
  private final DiskStats stats;
  private final List<DiskObject> busy = new ArrayList<>();
  private long known;
  private long dead;
  private long refused;

  DiskReport(
      DiskMount mount,
      StoreScan scan,
      DiskWorkers workers,
      MasterLine line,
      Tombstones tombstones,
      DiskStats stats) {
    this.mount = mount;
    this.scan = scan;
    this.workers = workers;
    this.line = line;
    this.tombstones = tombstones;
    this.stats = stats;
  }

  /** Reports everything; fails only when the mount ends. */
  Future<Void> run() {
    Promise<Void> done = Promise.promise();
    nextPage(done);
    return done.future().compose(read -> finish());
  }

  private void nextPage(Promise<Void> done) {
    workers
        .run(() -> scan.next(PAGE))
        .map(page -> page.stream().map(DiskReport::object).toList())
        .compose(page -> report(page).map(page.isEmpty()))
        .onComplete(
            reported -> {
              if (reported.failed() && reported.cause() instanceof MasterLine.MountEnded) {
                done.fail(reported.cause());
              } else if (reported.failed()) {
                line.pause(BUSY_PAUSE_MILLIS)
                    .onFailure(done::fail)
                    .onSuccess(over -> nextPage(done));
              } else if (reported.result()) {
                done.complete();
              } else {
                nextPage(done);
              }
            });
  }

  private static DiskObject object(ObjectRecord record) {
    return new DiskObject(
        record.tenant(),
        record.key(),
        record.version(),
        record.length(),
        record.checksum(),
        record.dataType(),
        record.hardPinned(),
        Math.max(0, record.softPinUntilMillis() - System.currentTimeMillis()),
        record.group());
  }

  private Future<Void> report(List<DiskObject> page) {
    if (page.isEmpty()) {
      return Future.succeededFuture();
    }
    return line.persistently(Calls.REPORT_DISK_OBJECTS, message(page, false))
        .compose(outcomes -> follow(page, outcomes));
  }

  private ReportDiskObjects message(List<DiskObject> page, boolean last) {
    return new ReportDiskObjects(
        mount.nodeId(), mount.incarnation(), mount.generation(), page, last);
  }

  private Future<Void> follow(List<DiskObject> page, List<Outcome<Void>> outcomes) {
    List<Long> gone = new ArrayList<>();
    for (int i = 0; i < page.size(); i++) {
      ErrorCode code = i < outcomes.size() ? outcomes.get(i).code() : ErrorCode.RPC_FAIL;
      switch (code) {
        case OK -> {
          known++;
          stats.reported.increment();
        }
        case OBJECT_NOT_FOUND, INVALID_VERSION -> gone.add(page.get(i).version());
        case UNAVAILABLE_IN_CURRENT_STATUS, PERSISTENT_FAIL, RPC_FAIL -> busy.add(page.get(i));
        default -> {
          refused++; // it stays on disk, for whoever makes the master take it
          LOG.warn("the master does not take over {}: {}", page.get(i).version(), code);
        }
      }
    }
    dead += gone.size();
    return tombstones.lay(gone.stream().mapToLong(Long::longValue).toArray(), line);
  }

  /** Reports again what was being written, until nothing is left. */
  private Future<Void> finish() {
    Promise<Void> settled = Promise.promise();
    reportBusy(settled);
    return settled
        .future()
        .compose(done -> line.persistently(Calls.REPORT_DISK_OBJECTS, message(List.of(), true)))
        .onSuccess(
            complete -> {
              stats.scans.increment();
              LOG.info(
                  "the master knows what is on disk: {} objects; {} were dead, {} not taken over",
                  known,
                  dead,
                  refused);
            })
        .mapEmpty();
  }

  private void reportBusy(Promise<Void> settled) {
    if (busy.isEmpty()) {
      settled.complete();
      return;
    }
    List<DiskObject> again = List.copyOf(busy.subList(0, Math.min(PAGE, busy.size())));
    busy.subList(0, again.size()).clear();
    line.pause(BUSY_PAUSE_MILLIS)
        .compose(over -> report(again))
        .onFailure(settled::fail)
        .onSuccess(reported -> reportBusy(settled));
  }
}
