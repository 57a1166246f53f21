package io.moonpool.bench.master;

import io.moonpool.model.Outcome;
import java.util.List;

/** How many items of a batch did not end as they should; from any thread. */
final class Outcomes {
  private Outcomes() {}

  /** Items that failed. */
  static <T> int failures(List<Outcome<T>> outcomes) {
    int failed = 0;
    for (Outcome<T> outcome : outcomes) {
      failed += outcome.ok() ? 0 : 1;
    }
    return failed;
  }

  /** Objects that are not there, or could not be asked for. */
  static int absent(List<Outcome<Boolean>> answers) {
    int absent = 0;
    for (Outcome<Boolean> answer : answers) {
      absent += answer.ok() && answer.get() ? 0 : 1;
    }
    return absent;
  }
}
