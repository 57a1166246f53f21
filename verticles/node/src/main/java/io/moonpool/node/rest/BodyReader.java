package io.moonpool.node.rest;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.buffer.ByteBuf;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.buffer.BufferInternal;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a paused request into memory, a piece of memory at a time; in between the
 * request stays paused, so that the sender waits. Runs on the request's loop; one {@link #fill} at
 * a time.
 */
final class BodyReader {
  private final HttpServerRequest request;
  private final SharedStaging.User memory;
  private final RestStats stats;
  private @Nullable MemorySegment target;
  private @Nullable Promise<Long> filled;
  private long position;
  private long received;
  private @Nullable ByteBuf rest;
  private boolean ended;
  private @Nullable Throwable broken;

  /**
   * A reader.
   *
   * @param memory is told whether the sender sends
   */
  BodyReader(HttpServerRequest request, SharedStaging.User memory, RestStats stats) {
    this.request = request;
    this.memory = memory;
    this.stats = stats;
    request.handler(this::receive).endHandler(end -> end()).exceptionHandler(this::fail);
  }

  /** True when no more bytes will come. */
  boolean isAtEnd() {
    return ended && rest == null;
  }

  /** How many bytes have come so far. */
  long received() {
    return received;
  }

  /** Fills memory; answers how many bytes there were, fewer than it has only at the body's end. */
  Future<Long> fill(MemorySegment into) {
    Promise<Long> promise = Promise.promise();
    target = into;
    filled = promise;
    position = 0;
    ByteBuf left = rest;
    if (broken != null) {
      fail(broken);
    } else if (left != null) {
      rest = null;
      take(left);
    }
    if (filled != null) {
      if (ended) {
        complete();
      } else {
        memory.awaitPeer();
        request.resume();
      }
    }
    return promise.future();
  }

  private void receive(Buffer chunk) {
    memory.progress();
    stats.received(chunk.length());
    received += chunk.length();
    take(((BufferInternal) chunk).getByteBuf());
  }

  private void take(ByteBuf bytes) {
    MemorySegment into = target;
    if (into != null) {
      int length = (int) Math.min(bytes.readableBytes(), into.byteSize() - position);
      if (length > 0) {
        bytes.readBytes(into.asSlice(position, length).asByteBuffer());
        position += length;
      }
    }
    if (bytes.isReadable()) {
      rest = bytes;
    }
    if (into != null && position == into.byteSize()) {
      request.pause();
      complete();
    }
  }

  private void end() {
    ended = true;
    complete();
  }

  private void fail(Throwable cause) {
    broken = cause;
    memory.peerDone();
    Promise<Long> waiting = filled;
    filled = null;
    target = null;
    if (waiting != null) {
      waiting.fail(
          new StoreException(ErrorCode.TRANSFER_FAIL, "the body broke off: " + cause.getMessage()));
    }
  }

  private void complete() {
    memory.peerDone();
    Promise<Long> waiting = filled;
    filled = null;
    target = null;
    if (waiting != null) {
      waiting.complete(position);
    }
  }
}
