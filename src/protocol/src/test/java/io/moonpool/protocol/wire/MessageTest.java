package io.moonpool.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The head, the meta byte, the literal, and what a decoder must refuse. */
class MessageTest {
  private static final Message<String> TEXT = Message.of(Containers.TEXT);
  private static final Message<List<String>> TEXTS = Message.of(Containers.list(Containers.TEXT));

  private static <T> ByteBuf encode(Message<T> message, T value, Form form) {
    ByteBuf pooled = message.encode(ByteBufAllocator.DEFAULT, 0, 1 << 24, value, form);
    ByteBuf copy = Unpooled.copiedBuffer(pooled);
    pooled.release();
    return copy;
  }

  /** A head without meta byte, then these bytes. */
  private static ByteBuf shortBody(Message<?> message, String hex) {
    return Unpooled.buffer().writeIntLE(message.code()).writeBytes(ByteBufUtil.decodeHexDump(hex));
  }

  /** A head and a meta byte, then these bytes. */
  private static ByteBuf metaBody(Message<?> message, int meta, String hex) {
    return Unpooled.buffer()
        .writeIntLE(message.code() | 1)
        .writeByte(meta)
        .writeBytes(ByteBufUtil.decodeHexDump(hex));
  }

  private static void assertMalformed(Message<?> message, ByteBuf body, String why) {
    assertThatThrownBy(() -> message.decode(body))
        .isInstanceOf(MalformedMessage.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource({"255, 1, 0", "256, 2, 8", "65535, 2, 8", "65536, 4, 16"})
  void largestContainerDecidesTheWidthOfAll(int length, int width, int meta) {
    List<String> value = List.of("", "x".repeat(length));

    ByteBuf body = encode(TEXTS, value, Form.SHORT);

    assertThat(body.readableBytes()).isEqualTo((width == 1 ? 4 : 5) + 3 * width + length);
    assertThat(body.getByte(0) & 1).isEqualTo(width == 1 ? 0 : 1);
    if (width > 1) {
      assertThat(body.getByte(4)).isEqualTo((byte) meta);
    }
    assertThat(TEXTS.decode(body)).isEqualTo(value);
  }

  @Test
  void widerSizesThanNeededAreAccepted() {
    // Meta 0x18: sizes of eight bytes.
    ByteBuf body = metaBody(TEXT, 0x18, "0200000000000000" + "6869");

    assertThat(TEXT.decode(body)).isEqualTo("hi");
  }

  @Test
  void sizesBeyondTheBodyAreRefusedBeforeAllocation() {
    assertMalformed(TEXT, metaBody(TEXT, 0x10, "ffffff7f" + "6869"), "2147483647");
    assertMalformed(
        TEXT, metaBody(TEXT, 0x18, "ffffffffffffffff" + "6869"), "18446744073709551615");
    Message<long[]> longs = Message.of(Containers.longs(Scalars.U64));
    assertMalformed(longs, shortBody(longs, "02" + "0000000000000000"), "2 elements");
    Message<KeyBatch> keys = Message.of(Containers.KEYS);
    assertMalformed(keys, metaBody(keys, 0x10, "00000040" + "00"), "1073741824");
  }

  @Test
  void elementsWithoutBytesAreBoundedByTheBudget() {
    Message<List<Void>> units = Message.of(Containers.list(Scalars.UNIT));

    assertMalformed(units, metaBody(units, 0x10, "ffffff7f"), "too many elements");
  }

  @Test
  void budgetCoversAllContainersTogether() {
    ByteBuf body = encode(TEXTS, List.of("a", "b", "c"), Form.SHORT);

    assertThat(TEXTS.decode(body.duplicate(), 3)).hasSize(3);
    assertThatThrownBy(() -> TEXTS.decode(body.duplicate(), 2))
        .isInstanceOf(MalformedMessage.class)
        .hasMessageContaining("split the batch");
  }

  @Test
  void bytesAfterTheMessageAreRefused() {
    assertMalformed(TEXT, encode(TEXT, "hi", Form.SHORT).writeByte(0), "1 bytes follow");
  }

  @Test
  void headOfAnotherTypeIsRefused() {
    assertMalformed(TEXT, encode(TEXTS, List.of("hi"), Form.SHORT), "type code");
    assertMalformed(TEXT, Unpooled.EMPTY_BUFFER, "shorter than its head");
  }

  @Test
  void literalMustMatchByteForByte() {
    ByteBuf other = encode(TEXT, "hi", Form.LITERAL);
    other.setByte(6, 0x0b);
    assertMalformed(TEXT, other, "literal is not 800c");
    ByteBuf longer = metaBody(TEXT, 4, "800c0c00" + "00");
    assertMalformed(TEXT, longer, "longer than 800c");
    assertMalformed(TEXT, metaBody(TEXT, 4, "80"), "inside its type literal");
    assertMalformed(TEXT, metaBody(TEXT, 4, "800c"), "inside its type literal");
  }

  @Test
  void unknownBitsOfTheMetaByteAreRefused() {
    assertMalformed(TEXT, metaBody(TEXT, 0x20, "00"), "meta byte 32");
    assertMalformed(TEXT, metaBody(TEXT, 0x01, "00"), "meta byte 1");
    assertMalformed(TEXT, Unpooled.buffer().writeIntLE(TEXT.code() | 1), "before its meta byte");
  }

  @Test
  void valuesOutsideTheirSetAreRefused() {
    Message<Boolean> flag = Message.of(Scalars.BOOL);
    assertMalformed(flag, shortBody(flag, "02"), "a flag is 2");
    Message<RandomBodies.Colour> colour = Message.of(RandomBodies.COLOUR);
    assertMalformed(colour, shortBody(colour, "0200"), "no colour 2");
    Message<RandomBodies.Shape> shape = Message.of(RandomBodies.SHAPE);
    assertMalformed(shape, shortBody(shape, "02"), "index 2");
    Message<Outcome<Long>> outcome = Message.of(Choices.outcome(Scalars.I64));
    assertMalformed(outcome, shortBody(outcome, "0000000000"), "success");
    Message<Map<String, Integer>> map = Message.of(Containers.map(Containers.TEXT, Scalars.U8));
    assertMalformed(map, shortBody(map, "02" + "016101" + "016102"), "twice");
  }

  @Test
  void textMustBeUtf8ButBytesNeedNot() {
    assertMalformed(TEXT, shortBody(TEXT, "02" + "c328"), "UTF-8");
    Message<byte[]> bytes = Message.of(Containers.BYTES);
    assertThat(bytes.decode(shortBody(bytes, "02" + "c328")))
        .isEqualTo(new byte[] {(byte) 0xc3, 0x28});
    // The replacement character itself is valid text.
    assertThat(TEXT.decode(encode(TEXT, "\uFFFD", Form.SHORT))).isEqualTo("\uFFFD");
  }

  private record Even(int number) {
    Even {
      if (number % 2 != 0) {
        throw new IllegalArgumentException(number + " is odd");
      }
    }
  }

  @Test
  void valuesThatTheConstructorRefusesAreMalformed() {
    Message<Even> even = Message.of(Structs.struct(Structs.i32(Even::number), Even::new));

    assertMalformed(even, shortBody(even, "03000000"), "3 is odd");
  }

  @Test
  void emptyBodyMustBeEmpty() {
    Message<String> empty = Message.empty("nothing");

    assertThat(empty.decode(Unpooled.EMPTY_BUFFER)).isEqualTo("nothing");
    assertThat(encode(empty, "nothing", Form.LITERAL).readableBytes()).isZero();
    assertMalformed(empty, Unpooled.buffer().writeByte(0), "without arguments");
  }

  @Test
  void bodyAboveTheLimitIsNotEncoded() {
    assertThatThrownBy(
            () -> TEXT.encode(ByteBufAllocator.DEFAULT, 0, 16, "x".repeat(100), Form.SHORT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("exceeds the limit of 16");
  }

  @Test
  void typesCannotBeNestedWithoutBound() {
    assertThatThrownBy(
            () -> {
              Codec<?> codec = Scalars.I8;
              for (int i = 0; i < 40; i++) {
                codec = Containers.list(codec);
              }
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("deeper than 32");
  }
}
