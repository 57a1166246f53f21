package io.moonpool.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.protocol.wire.CapturedTypes.Buffer;
import io.moonpool.protocol.wire.CapturedTypes.Config;
import io.moonpool.protocol.wire.CapturedTypes.Found;
import io.moonpool.protocol.wire.CapturedTypes.Key;
import io.moonpool.protocol.wire.CapturedTypes.Keys;
import io.moonpool.protocol.wire.CapturedTypes.Location;
import io.moonpool.protocol.wire.CapturedTypes.Meta;
import io.moonpool.protocol.wire.CapturedTypes.Mount;
import io.moonpool.protocol.wire.CapturedTypes.Pong;
import io.moonpool.protocol.wire.CapturedTypes.PutEnd;
import io.moonpool.protocol.wire.CapturedTypes.PutStart;
import io.moonpool.protocol.wire.CapturedTypes.Replica;
import io.moonpool.protocol.wire.CapturedTypes.Segment;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Captured bodies are encoded byte for byte and decoded to the values that they stand for. */
class GoldenBodiesTest {
  private static final UUID CLIENT = new UUID(0x1111111122222222L, 0x3333333344444444L);

  private record Golden<T>(Message<T> message, T value) {
    static <T> Golden<T> of(Codec<T> codec, T value) {
      return new Golden<>(Message.of(codec), value);
    }

    void check(String hex, Form form) {
      byte[] bytes = ByteBufUtil.decodeHexDump(hex);
      ByteBuf encoded = message.encode(ByteBufAllocator.DEFAULT, 0, 1 << 20, value, form);
      try {
        assertThat(ByteBufUtil.hexDump(encoded)).isEqualTo(hex);
      } finally {
        encoded.release();
      }
      ByteBuf body = Unpooled.wrappedBuffer(bytes);
      assertThat(Form.of(body, form == Form.SHORT ? Form.LITERAL : Form.SHORT)).isEqualTo(form);
      assertThat(message.decode(body)).isEqualTo(value);
    }
  }

  private static Map<String, Golden<?>> goldens() {
    Config plain =
        new Config(
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
    Config full =
        new Config(
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
    Replica memory =
        new Replica(
            7, new Location.Memory(new Buffer(4096, 0x100000000L, "tcp", "127.0.0.1:1234")), 2);
    Map<String, Golden<?>> all = new LinkedHashMap<>();
    all.put("Ping(UUID)", Golden.of(Scalars.ID, CLIENT));
    all.put("ExistKey(key,tenant)", Golden.of(Key.CODEC, new Key("k1", "default")));
    all.put(
        "PutStart", Golden.of(PutStart.CODEC, new PutStart(CLIENT, "k1", 4096, plain, "default")));
    all.put(
        "PutStart(full cfg)",
        Golden.of(PutStart.CODEC, new PutStart(CLIENT, "k1", 4096, full, "default")));
    all.put(
        "PutEnd",
        Golden.of(
            PutEnd.CODEC, new PutEnd(CLIENT, new Meta("k1", OptionalLong.empty()), 0, "default")));
    all.put(
        "BatchExistKey(2)",
        Golden.of(Keys.CODEC, new Keys(KeyBatch.of(List.of("a", "bb")), "default")));
    all.put("ExistKey(key len 300)", Golden.of(Key.CODEC, new Key("x".repeat(300), "default")));
    all.put("ret expected<bool>=true", Golden.of(Choices.outcome(Scalars.BOOL), Outcome.of(true)));
    all.put(
        "ret expected<bool>=err INVALID_KEY",
        Golden.of(Choices.outcome(Scalars.BOOL), Outcome.error(ErrorCode.INVALID_KEY)));
    all.put("ret expected<void> ok", Golden.of(Choices.outcome(Scalars.UNIT), Outcome.done()));
    all.put(
        "ret expected<void> err",
        Golden.of(Choices.outcome(Scalars.UNIT), Outcome.error(ErrorCode.OBJECT_NOT_FOUND)));
    all.put("ret Ping ok", Golden.of(Choices.outcome(Pong.CODEC), Outcome.of(new Pong(0, 1))));
    all.put(
        "ret vec<expected<bool>>",
        Golden.of(
            Containers.list(Choices.outcome(Scalars.BOOL)),
            List.of(Outcome.of(true), Outcome.of(false), Outcome.error(ErrorCode.INVALID_KEY))));
    all.put(
        "ret PutStart 1 mem replica",
        Golden.of(Choices.outcome(Containers.list(Replica.CODEC)), Outcome.of(List.of(memory))));
    all.put(
        "ret GetReplicaList mem+disk+localdisk+dfs",
        Golden.of(
            Choices.outcome(Found.CODEC),
            Outcome.of(
                new Found(
                    List.of(
                        memory,
                        new Replica(8, new Location.File("/f", 9), 3),
                        new Replica(9, new Location.LocalFile(CLIENT, 9, "ep"), 3),
                        new Replica(10, new Location.Shared("/g", 1, 2, 3, 4), 3)),
                    10_000,
                    OptionalLong.of(77)))));
    all.put(
        "MountSegment(seg,client)",
        Golden.of(
            Mount.CODEC,
            new Mount(
                new Segment(CLIENT, "seg", 0x100000000L, 0x100000, "ep", "tcp", ""), CLIENT)));
    return all;
  }

  @Test
  void everyCapturedBodyIsCovered() {
    assertThat(goldens().keySet())
        .containsExactlyInAnyOrderElementsOf(
            Fixtures.rows("bodies.tsv").stream().map(row -> row[0]).toList());
  }

  @TestFactory
  Stream<DynamicTest> bodies() {
    Map<String, Golden<?>> goldens = goldens();
    return Fixtures.rows("bodies.tsv").stream()
        .flatMap(
            row ->
                Stream.of(
                    DynamicTest.dynamicTest(
                        row[0] + ", with literal",
                        () -> goldens.get(row[0]).check(row[1], Form.LITERAL)),
                    DynamicTest.dynamicTest(
                        row[0] + ", short", () -> goldens.get(row[0]).check(row[2], Form.SHORT))));
  }
}
