package io.moonpool.master.journal;

import io.vertx.core.Future;
import java.util.List;

/**
 * What a master must still know after a restart, as a sequence of records.
 *
 * <p>Any thread may call it. What one thread appends is kept in its order; what was appended before
 * a record is durable when the record is.
 */
public interface Journal {
  /**
   * Appends records, all of them or none.
   *
   * @return completes when they are durable, on the journal's thread or at once; fails with a
   *     {@link io.moonpool.model.StoreException} of PERSISTENT_FAIL when they are not. They may
   *     become durable all the same: with the next snapshot, or when the failure hid a success
   */
  Future<Void> append(List<? extends JournalRecord> records);

  /** Appends one record. */
  default Future<Void> append(JournalRecord record) {
    return append(List.of(record));
  }

  /**
   * True while nothing can be made durable: appends fail at once. The journal goes on by itself
   * when it can write again, and has then made durable whatever was appended meanwhile.
   */
  boolean isFailed();

  /** What a person would be told of the failure; empty when there is none. */
  String failure();

  /** False when what is appended is forgotten with the process. */
  boolean isDurable();

  /** How it fared. */
  JournalStats stats();

  /**
   * Makes what was appended durable, stops, and gives files and lock back. Blocks: for a worker.
   * Later appends fail.
   */
  void close();
}
