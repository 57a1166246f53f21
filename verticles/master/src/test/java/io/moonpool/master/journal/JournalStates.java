package io.moonpool.master.journal;

import java.util.List;

/** What records say together, for tests of what reads it. */
public final class JournalStates {
  private JournalStates() {}

  public static JournalState of(List<? extends JournalRecord> records) {
    JournalState state = new JournalState();
    records.forEach(state::apply);
    return state;
  }
}
