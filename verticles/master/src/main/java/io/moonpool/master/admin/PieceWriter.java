package io.moonpool.master.admin;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/**
 * Writes the pieces of a {@link StreamRoute}: one is under way at a time, so a caller who reads
 * slowly has no more than that waiting for it here. Between two pieces the event loop has its turn.
 * Everything happens on the context of the request.
 */
final class PieceWriter {
  private final Context context;
  private final HttpServerResponse response;
  private final StreamRoute.Pieces pieces;
  private final Promise<Void> begun = Promise.promise();
  private boolean gone;

  private PieceWriter(Context context, HttpServerResponse response, StreamRoute.Pieces pieces) {
    this.context = context;
    this.response = response;
    this.pieces = pieces;
  }

  /**
   * Writes an answer; call on the context of its request.
   *
   * @return fails when the first piece does: nothing is written then. What fails later cuts the
   *     answer off, so that nobody takes it for a whole one
   */
  static Future<Void> write(HttpServerResponse response, StreamRoute.Pieces pieces) {
    Context current = Vertx.currentContext();
    if (current == null) {
      throw new IllegalStateException("not on the context of a request");
    }
    PieceWriter writer = new PieceWriter(current, response, pieces);
    response.closeHandler(closed -> writer.gone = true);
    response.exceptionHandler(failure -> writer.gone = true);
    writer.next();
    return writer.begun.future();
  }

  private void next() {
    if (gone) {
      begun.tryComplete();
      return;
    }
    pieces.next().onComplete(this::made, this::failed);
  }

  private void made(Buffer piece) {
    // Pieces may be at hand at once: then this is the only step in which others have their turn.
    context.runOnContext(
        turn -> {
          if (gone) {
            begun.tryComplete();
            return;
          }
          if (!response.headWritten()) {
            response
                .setChunked(true)
                .putHeader("Content-Type", pieces.contentType())
                .putHeader("Cache-Control", "no-store");
            begun.tryComplete();
          }
          if (piece.length() == 0) {
            response.end();
          } else {
            response.write(piece).onComplete(taken -> next());
          }
        });
  }

  private void failed(Throwable failure) {
    context.runOnContext(
        turn -> {
          if (!begun.tryFail(failure) && !gone) {
            response.reset();
          }
        });
  }
}
