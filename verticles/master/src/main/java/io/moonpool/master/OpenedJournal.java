package io.moonpool.master;

import io.moonpool.master.journal.FileJournal;
import io.moonpool.master.journal.Journal;
import io.moonpool.master.journal.JournalState;
import io.moonpool.master.journal.MemoryJournal;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal of a start of a master.
 *
 * @param state what it says; may be read until the first append
 * @param epoch the number of this start
 */
record OpenedJournal(Journal journal, JournalState state, long epoch) {
  private static final Logger LOG = LoggerFactory.getLogger(OpenedJournal.class);

  /**
   * Opens the journal that is configured. Blocks.
   *
   * @throws io.moonpool.model.StoreException with what to do, when it cannot be used
   */
  static OpenedJournal of(MasterConfig config) {
    long wallMillis = System.currentTimeMillis();
    long clockEpoch = MasterEpoch.at(wallMillis);
    if (config.dataDir().isEmpty()) {
      LOG.warn(
          "data_dir is not set, so no journal is kept: objects that were removed may return from the"
              + " disks of nodes after a restart of the master");
      return new OpenedJournal(new MemoryJournal(), new JournalState(), clockEpoch);
    }
    FileJournal.Opened opened =
        FileJournal.open(Path.of(config.dataDir(), "journal"), clockEpoch, wallMillis);
    return new OpenedJournal(opened.journal(), opened.state(), opened.epoch());
  }
}
