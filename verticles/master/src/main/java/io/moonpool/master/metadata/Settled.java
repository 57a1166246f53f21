package io.moonpool.master.metadata;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;

/** The outcomes of items without a value, made once. Any thread. */
final class Settled {
  private static final Outcome<Void> DONE = Outcome.done();

  private Settled() {}

  static Outcome<Void> of(ErrorCode code) {
    return code == ErrorCode.OK ? DONE : Outcome.error(code);
  }
}
