package io.moonpool.node.rest;

import io.moonpool.client.ObjectReader;
import io.moonpool.client.parts.StagingPool;
import io.moonpool.client.parts.StagingPool.Staging;
import io.moonpool.model.Checksum;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;

/**
 * Sends a range of a value piece by piece: while one piece is written to the socket the next one is
 * read. A piece goes from the staging memory to the socket without a copy; it is written only when
 * the socket has taken the one before it. Runs on the loop of the response.
 */
final class ValueSender {
  private static final long MAX_PIECE_BYTES = 4L * Checksum.BLOCK_BYTES;

  private final StagingPool staging;
  private final RestStats stats;
  private final HttpServerResponse response;
  private final ObjectReader value;
  private final long pieceBytes;
  private final long end;
  private long position;

  ValueSender(
      StagingPool staging,
      RestStats stats,
      HttpServerResponse response,
      ObjectReader value,
      ByteRange range) {
    this.staging = staging;
    this.stats = stats;
    this.response = response;
    this.value = value;
    this.position = range.offset();
    this.end = range.offset() + range.length();
    this.pieceBytes =
        Math.clamp(
            staging.maxBytes() / 16 / Checksum.BLOCK_BYTES * Checksum.BLOCK_BYTES,
            Math.min(Checksum.BLOCK_BYTES, staging.maxBytes()),
            MAX_PIECE_BYTES);
  }

  /** Sends; fails without having answered when the first piece cannot be read. */
  Future<Void> send() {
    return readNext().compose(this::sendFrom);
  }

  private Future<Void> sendFrom(Staging piece) {
    if (position == end) {
      return write(piece, true);
    }
    Future<Staging> next = readNext();
    return write(piece, false)
        .compose(
            written -> next.compose(this::sendFrom),
            // The peer is gone. The piece that is being read has to come back first.
            gone -> next.onSuccess(Staging::release).transform(read -> Future.failedFuture(gone)));
  }

  private Future<Void> write(Staging piece, boolean last) {
    Buffer bytes = BufferInternal.buffer(Unpooled.wrappedBuffer(piece.memory().asByteBuffer()));
    Future<Void> written = last ? response.end(bytes) : response.write(bytes);
    return written
        .onSuccess(done -> stats.sent(piece.memory().byteSize()))
        .onComplete(done -> piece.release());
  }

  /** Pieces end where blocks do, so that no block is read twice. */
  private Future<Staging> readNext() {
    long start = position;
    long stop = Math.min(end, start - start % Checksum.BLOCK_BYTES + pieceBytes);
    position = stop;
    return staging
        .take(stop - start)
        .compose(
            piece ->
                value.read(start, piece.memory()).map(piece).onFailure(failed -> piece.release()));
  }
}
