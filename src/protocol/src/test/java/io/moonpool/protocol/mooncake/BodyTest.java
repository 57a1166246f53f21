package io.moonpool.protocol.mooncake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Answer;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.wire.Form;
import io.moonpool.protocol.wire.MalformedMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are known are encoded to the bytes that are known, in both forms. */
class BodyTest {
  private static final Pattern LINE = Pattern.compile("(.*) len=(\\d+) ([0-9a-f]+)");
  private static final UUID CLIENT = new UUID(0x1111111122222222L, 0x3333333344444444L);
  private static final int LIMIT = 1 << 24;

  private static Map<String, String> bodies(Form form) throws IOException {
    Map<String, String> bodies = new LinkedHashMap<>();
    String file = form == Form.LITERAL ? "mooncake/bodies.txt" : "mooncake/bodies-short.txt";
    for (String line : Exchange.lines(file)) {
      Matcher body = LINE.matcher(line);
      if (body.matches()) {
        assertThat(body.group(3)).hasSize(2 * Integer.parseInt(body.group(2)));
        bodies.put(body.group(1), body.group(3));
      }
    }
    return bodies;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static <Q> String request(Call<Q, ?> call, Q arguments, Form form) {
    return ByteBufUtil.hexDump(
        call.request().encode(UnpooledByteBufAllocator.DEFAULT, 0, LIMIT, arguments, form));
  }

  private static <R> String answer(Call<?, R> call, R result, Form form) {
    return ByteBufUtil.hexDump(
        call.answer().encode(UnpooledByteBufAllocator.DEFAULT, 0, LIMIT, result, form));
  }

  private static String failure(Answer<?> answer, ErrorCode code, Form form) {
    return ByteBufUtil.hexDump(
        answer.encodeFailure(
            UnpooledByteBufAllocator.DEFAULT, 0, LIMIT, new StoreException(code), form));
  }

  private static Map<String, String> encoded(Form form) {
    WriteConfig plain =
        new WriteConfig(
            1,
            0,
            0,
            0,
            OptionalLong.empty(),
            false,
            List.of(),
            "",
            List.of(),
            false,
            0,
            "",
            Optional.empty());
    WriteConfig full =
        new WriteConfig(
            2,
            0,
            0,
            1,
            OptionalLong.of(5000),
            false,
            List.of("segA", "segB"),
            "",
            List.of(),
            false,
            0,
            "h1",
            Optional.of(List.of("g")));
    Map<String, String> all = new LinkedHashMap<>();
    all.put("Ping(UUID)", request(SegmentCalls.PING, CLIENT, form));
    all.put(
        "ExistKey(key,tenant)",
        request(ObjectCalls.EXIST_KEY, new ObjectMessages.Key(bytes("k1"), "default"), form));
    all.put(
        "PutStart",
        request(
            ObjectCalls.PUT_START,
            new ObjectMessages.Start(CLIENT, bytes("k1"), 4096, plain, "default"),
            form));
    all.put(
        "PutStart(full cfg)",
        request(
            ObjectCalls.PUT_START,
            new ObjectMessages.Start(CLIENT, bytes("k1"), 4096, full, "default"),
            form));
    all.put(
        "PutEnd",
        request(
            ObjectCalls.PUT_END,
            new ObjectMessages.End(
                CLIENT,
                new ObjectMessages.Written(bytes("k1"), OptionalLong.empty()),
                0,
                "default"),
            form));
    all.put(
        "BatchExistKey(2)",
        request(
            ObjectCalls.BATCH_EXIST_KEY,
            new ObjectMessages.Keys(KeyBatch.of(List.of("a", "bb")), "default"),
            form));
    all.put(
        "ExistKey(key len 300)",
        request(
            ObjectCalls.EXIST_KEY,
            new ObjectMessages.Key(bytes("x".repeat(300)), "default"),
            form));
    all.put("ret expected<bool>=true", answer(ObjectCalls.EXIST_KEY, true, form));
    all.put(
        "ret expected<bool>=err INVALID_KEY",
        failure(ObjectCalls.EXIST_KEY.answer(), ErrorCode.INVALID_KEY, form));
    all.put("ret expected<void> ok", answer(ObjectCalls.PUT_END, null, form));
    all.put(
        "ret expected<void> err",
        failure(ObjectCalls.PUT_END.answer(), ErrorCode.OBJECT_NOT_FOUND, form));
    all.put(
        "ret Ping ok",
        answer(
            SegmentCalls.PING,
            new SegmentMessages.PingAnswer(0, SegmentMessages.PingAnswer.OK),
            form));
    all.put(
        "ret vec<expected<bool>>",
        answer(
            ObjectCalls.BATCH_EXIST_KEY,
            List.of(Outcome.of(true), Outcome.of(false), Outcome.error(ErrorCode.INVALID_KEY)),
            form));
    Replica memory =
        new Replica(7, new Place.Memory(4096, 0x1_0000_0000L, "tcp", "127.0.0.1:1234"), 2);
    all.put("ret PutStart 1 mem replica", answer(ObjectCalls.PUT_START, List.of(memory), form));
    all.put(
        "ret GetReplicaList mem+disk+localdisk+dfs",
        answer(
            ObjectCalls.GET_REPLICA_LIST,
            new ReplicaList(
                List.of(
                    memory,
                    new Replica(8, new Place.Disk("/f", 9), 3),
                    new Replica(9, new Place.LocalDisk(CLIENT, 9, "ep"), 3),
                    new Replica(10, new Place.Dfs("/g", 1, 2, 3, 4), 3)),
                10_000,
                OptionalLong.of(77)),
            form));
    all.put(
        "MountSegment(seg,client)",
        request(
            SegmentCalls.MOUNT_SEGMENT,
            new SegmentMessages.Mount(
                new SegmentMessages.Segment(
                    CLIENT, "seg", 0x1_0000_0000L, 0x10_0000, "ep", "tcp", ""),
                CLIENT),
            form));
    return all;
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void valuesAreEncodedToKnownBytes(Form form) throws IOException {
    assertThat(encoded(form)).containsExactlyEntriesOf(bodies(form));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 255, 256, 65_535, 65_536, 70_000})
  void allWidthsOfSizesAreDecoded(int length) {
    for (Form form : Form.values()) {
      ObjectMessages.Key key = new ObjectMessages.Key(new byte[length], "t");
      ByteBuf body =
          ObjectCalls.EXIST_KEY
              .request()
              .encode(UnpooledByteBufAllocator.DEFAULT, 0, LIMIT, key, form);
      assertThat(ObjectCalls.EXIST_KEY.request().decode(body).key()).hasSize(length);
    }
  }

  /** Only containers of 4 GiB need them, but a sender may use them for any. */
  @Test
  void sizesOfEightBytesAreDecoded() {
    ByteBuf body = Unpooled.buffer();
    body.writeIntLE(ObjectCalls.EXIST_KEY.request().code() | 1).writeByte(3 << 3);
    body.writeLongLE(2).writeBytes(bytes("ab")).writeLongLE(1).writeBytes(bytes("t"));
    ObjectMessages.Key key = ObjectCalls.EXIST_KEY.request().decode(body);
    assertThat(key.key()).isEqualTo(bytes("ab"));
    assertThat(key.tenant()).isEqualTo("t");
  }

  @Test
  void aSizeOfFourGibibytesIsRefusedWithoutMemory() {
    ByteBuf body = Unpooled.buffer();
    body.writeIntLE(ObjectCalls.EXIST_KEY.request().code() | 1).writeByte(3 << 3);
    body.writeLongLE(1L << 32).writeBytes(bytes("ab"));
    assertThatThrownBy(() -> ObjectCalls.EXIST_KEY.request().decode(body))
        .isInstanceOf(MalformedMessage.class);
  }
}
