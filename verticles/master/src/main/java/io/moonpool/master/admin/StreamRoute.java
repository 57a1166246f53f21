package io.moonpool.master.admin;

import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/**
 * A path whose answer is of any length: it is made and written piece by piece, the next one when
 * the caller has taken the last. Called as {@link Route}.
 */
public interface StreamRoute extends Route {
  /** Only pieces can answer. */
  @Override
  default Future<Answer> handle(RouteRequest request) {
    throw new IllegalStateException("pieces are not answered at once");
  }

  /** Begins an answer, whose first piece decides about the status: when it fails, so does all. */
  Pieces open(RouteRequest request);

  /** What is answered when that fails; empty for what all paths answer. */
  default Optional<Answer> refused(StoreException failure) {
    return Optional.empty();
  }

  /** The answer to one request. */
  interface Pieces {
    /** The media type of the whole. */
    String contentType();

    /** Makes the next piece; asked one after the other. Empty: that was all. */
    Future<Buffer> next();
  }
}
