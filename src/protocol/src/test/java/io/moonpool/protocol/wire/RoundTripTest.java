package io.moonpool.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.protocol.wire.RandomBodies.Sample;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is encoded is decoded to the same value, whatever its sizes. */
class RoundTripTest {
  private static final int SEEDS = 60;

  @ParameterizedTest
  @EnumSource(Form.class)
  void everyTypeWithRandomValues(Form form) {
    for (int seed = 0; seed < SEEDS; seed++) {
      for (Sample<?> sample : new RandomBodies(seed).samples()) {
        check(sample, form, seed);
      }
    }
  }

  private static <T> void check(Sample<T> sample, Form form, int seed) {
    int headroom = seed % 3;
    ByteBuf body =
        sample.message().encode(ByteBufAllocator.DEFAULT, headroom, 1 << 24, sample.value(), form);
    try {
      body.skipBytes(headroom);
      assertThat(Form.of(body, Form.LITERAL)).isEqualTo(form);
      T decoded = sample.message().decode(body);
      assertThat(decoded).as("%s of seed %d", sample.name(), seed).isEqualTo(sample.value());
      assertThat(body.isReadable()).isFalse();
    } finally {
      body.release();
    }
  }

  private record Wide(
      int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l) {}

  private record Ten(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {}

  @Test
  void fieldsKeepTheirOrder() {
    Codec<Ten> ten =
        Structs.struct(
            Structs.i32(Ten::a),
            Structs.i32(Ten::b),
            Structs.i32(Ten::c),
            Structs.i32(Ten::d),
            Structs.i32(Ten::e),
            Structs.i32(Ten::f),
            Structs.i32(Ten::g),
            Structs.i32(Ten::h),
            Structs.i32(Ten::i),
            Structs.i32(Ten::j),
            Ten::new);
    Codec<Wide> twelve =
        Structs.struct(
            Structs.i32(Wide::a),
            Structs.i32(Wide::b),
            Structs.i32(Wide::c),
            Structs.i32(Wide::d),
            Structs.i32(Wide::e),
            Structs.i32(Wide::f),
            Structs.i32(Wide::g),
            Structs.i32(Wide::h),
            Structs.i32(Wide::i),
            Structs.i32(Wide::j),
            Structs.i32(Wide::k),
            Structs.i32(Wide::l),
            Wide::new);

    check(Sample.of("ten", ten, new Ten(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)), Form.SHORT, 0);
    check(
        Sample.of("twelve", twelve, new Wide(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)),
        Form.SHORT,
        0);
    assertThat(ten.fixedBytes()).isEqualTo(40);
  }
}
