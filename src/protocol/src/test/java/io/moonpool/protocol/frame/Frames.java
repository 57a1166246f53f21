package io.moonpool.protocol.frame;

import io.moonpool.model.Checksum;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ObjectInfo;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.ObjectPage;
import io.moonpool.protocol.call.Ping;
import io.moonpool.protocol.wire.Form;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.net.NetServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Frames as bytes, and how tests wait. */
final class Frames {
  private Frames() {}

  static NetServerOptions loopback() {
    return new NetServerOptions().setHost("127.0.0.1").setPort(0);
  }

  static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  static ConditionFactory eventually() {
    return Awaitility.await().atMost(Duration.ofSeconds(30));
  }

  static <Q> ByteBuf request(Call<Q, ?> call, Q arguments, int sequence, Form form) {
    ByteBuf frame =
        call.request()
            .encode(ByteBufAllocator.DEFAULT, FrameHeader.REQUEST_BYTES, 1 << 26, arguments, form);
    FrameHeader.setRequest(frame, call.functionId());
    frame.setIntLE(FrameHeader.SEQUENCE_AT, sequence);
    ByteBuf copy = Unpooled.copiedBuffer(frame);
    frame.release();
    return copy;
  }

  static ByteBuf ping(int sequence) {
    return request(Calls.PING, new Ping(1, 2, sequence), sequence, Form.SHORT);
  }

  static <R> ByteBuf response(Call<?, R> call, R result, int sequence) {
    ByteBuf frame =
        call.answer()
            .encode(
                ByteBufAllocator.DEFAULT, FrameHeader.RESPONSE_BYTES, 1 << 26, result, Form.SHORT);
    FrameHeader.setResponse(frame, sequence, FrameHeader.NO_ERROR);
    ByteBuf copy = Unpooled.copiedBuffer(frame);
    frame.release();
    return copy;
  }

  static ByteBuf errorResponse(int sequence, int error, String text) {
    ByteBuf frame =
        FrameHeader.ERROR_TEXT.encode(
            ByteBufAllocator.DEFAULT, FrameHeader.RESPONSE_BYTES, 1 << 20, text, Form.SHORT);
    FrameHeader.setResponse(frame, sequence, error);
    ByteBuf copy = Unpooled.copiedBuffer(frame);
    frame.release();
    return copy;
  }

  /** A page with so many bytes. */
  static ObjectPage page(int bytes) {
    ObjectInfo info =
        new ObjectInfo(
            "",
            "k".repeat(bytes),
            0,
            0,
            Checksum.NONE,
            0,
            0,
            false,
            ObjectDataType.UNKNOWN,
            "",
            List.of());
    return new ObjectPage(List.of(info), 0);
  }

  /** Keys of so many bytes in all, one key each 1,000. */
  static NamedObjects keys(int bytes) {
    KeyBatch keys = new KeyBatch(1);
    for (int i = 0; i < bytes / 1_000; i++) {
      keys.add("k".repeat(1_000));
    }
    return new NamedObjects("", keys);
  }
}
