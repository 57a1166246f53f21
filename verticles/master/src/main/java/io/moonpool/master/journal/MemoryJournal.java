package io.moonpool.master.journal;

import io.vertx.core.Future;
import java.util.List;

/**
 * The journal of a master without a data directory: it forgets. Floors then last as long as the
 * process, in the metadata loops, and what was removed may return from a disk after a restart.
 */
public final class MemoryJournal implements Journal {
  @Override
  public Future<Void> append(List<? extends JournalRecord> records) {
    return Future.succeededFuture();
  }

  @Override
  public boolean isFailed() {
    return false;
  }

  @Override
  public String failure() {
    return "";
  }

  @Override
  public boolean isDurable() {
    return false;
  }

  @Override
  public JournalStats stats() {
    return JournalStats.NONE;
  }

  @Override
  public void close() {
    // Nothing to give back.
  }
}
