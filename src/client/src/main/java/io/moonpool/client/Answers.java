package io.moonpool.client;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import java.util.List;

/** Checks that a batch was answered item by item. */
final class Answers {
  private Answers() {}

  /** The answer to a batch of one. */
  static <T> Outcome<T> only(List<Outcome<T>> answers) {
    return all(answers, 1).getFirst();
  }

  /**
   * The answers to a batch.
   *
   * @throws StoreException when there are more or fewer than items
   */
  static <T> List<Outcome<T>> all(List<Outcome<T>> answers, int items) {
    if (answers.size() != items) {
      throw new StoreException(
          ErrorCode.RPC_FAIL,
          "the master answered " + answers.size() + " of " + items + " items: check its version");
    }
    return answers;
  }
}
