package io.moonpool.master.admin;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.ErrorKind;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.json.JsonForms;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Failures as answers. */
final class Refusal {
  private static final Logger LOG = LoggerFactory.getLogger(Refusal.class);

  private Refusal() {}

  /** An error of the table with the status that belongs to it. */
  static Answer of(StoreException failure) {
    return of(ErrorKind.of(failure.code()).httpStatus(), failure.code(), failure.sentence());
  }

  /**
   * An error whose status says more than the table does: what is wrong is the HTTP request itself.
   */
  static Answer of(int status, ErrorCode code, String message) {
    return Answer.json(status, JsonForms.error(code, message));
  }

  /** Any failure of a route; what is not an error of the table is a bug, logged with its trace. */
  static Answer of(Throwable failure, String route) {
    if (failure instanceof StoreException known) {
      return of(known);
    }
    LOG.error("{} failed", route, failure);
    return of(new StoreException(ErrorCode.INTERNAL_ERROR));
  }
}
