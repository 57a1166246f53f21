package io.moonpool.node.rest;

import io.moonpool.client.ObjectReader;
import io.moonpool.client.parts.StagingPool.Staging;
import io.moonpool.model.Checksum;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.lang.foreign.MemorySegment;

/**
 * Sends a range of a value piece by piece: while one piece is written to the socket the next one is
 * read. A piece goes from the staging memory to the socket without a copy; it is written only when
 * the socket has taken the one before it. It is written in slices, so that a peer that takes little
 * is told from one that takes nothing. Runs on the loop of the response.
 */
final class ValueSender {
  private static final long MAX_PIECE_BYTES = 4L * Checksum.BLOCK_BYTES;

  /** What a peer has to take in time to go on. */
  private static final long SLICE_BYTES = 64 << 10;

  private final SharedStaging.User staging;
  private final RestStats stats;
  private final HttpServerResponse response;
  private final ObjectReader value;
  private final long pieceBytes;
  private final long end;
  private long position;

  ValueSender(
      SharedStaging.User staging,
      long maxBytes,
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
            maxBytes / 16 / Checksum.BLOCK_BYTES * Checksum.BLOCK_BYTES,
            Math.min(Checksum.BLOCK_BYTES, maxBytes),
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
    staging.awaitPeer();
    // In the chain: the next piece may be on its way before a handler is called.
    return writeFrom(piece.memory(), 0, last)
        .eventually(
            () -> {
              staging.peerDone();
              piece.release();
              return Future.succeededFuture();
            });
  }

  /** One slice after the other: the socket holds what is to be sent, no queue before it. */
  private Future<Void> writeFrom(MemorySegment memory, long from, boolean last) {
    long to = Math.min(from + SLICE_BYTES, memory.byteSize());
    Buffer slice =
        BufferInternal.buffer(
            Unpooled.wrappedBuffer(memory.asSlice(from, to - from).asByteBuffer()));
    boolean end = to == memory.byteSize();
    Future<Void> written = last && end ? response.end(slice) : response.write(slice);
    written = written.onSuccess(done -> taken(to - from));
    return end ? written : written.compose(done -> writeFrom(memory, to, last));
  }

  private void taken(long bytes) {
    staging.progress();
    stats.sent(bytes);
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
