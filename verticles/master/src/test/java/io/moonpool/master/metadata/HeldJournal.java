package io.moonpool.master.metadata;

import io.moonpool.master.journal.Journal;
import io.moonpool.master.journal.JournalRecord;
import io.moonpool.master.journal.JournalStats;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/** Appends wait until the test lets them go; or fail, as a full disk would have it. */
final class HeldJournal implements Journal {
  private final List<Promise<Void>> waiting = new ArrayList<>();
  private boolean failed;

  @Override
  public synchronized Future<Void> append(List<? extends JournalRecord> records) {
    if (failed) {
      return Future.failedFuture(cause());
    }
    Promise<Void> promise = Promise.promise();
    waiting.add(promise);
    return promise.future();
  }

  private StoreException cause() {
    return new StoreException(ErrorCode.PERSISTENT_FAIL, failure());
  }

  synchronized int waiting() {
    return waiting.size();
  }

  private synchronized List<Promise<Void>> takeAll() {
    List<Promise<Void>> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  void release() {
    takeAll().forEach(Promise::complete);
  }

  void fail() {
    synchronized (this) {
      failed = true;
    }
    takeAll().forEach(promise -> promise.fail(cause()));
  }

  synchronized void recover() {
    failed = false;
  }

  @Override
  public synchronized boolean isFailed() {
    return failed;
  }

  @Override
  public String failure() {
    return "no space left";
  }

  @Override
  public boolean isDurable() {
    return true;
  }

  @Override
  public JournalStats stats() {
    return JournalStats.NONE;
  }

  @Override
  public void close() {}
}
