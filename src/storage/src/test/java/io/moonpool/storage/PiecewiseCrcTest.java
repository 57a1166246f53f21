package io.moonpool.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.storage.bucket.ValueCrc;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sum of pieces is that of the whole. */
class PiecewiseCrcTest {
  private static final int MIB = 1 << 20;

  @ParameterizedTest
  @CsvSource({"1,1", "1048576,1", "1048577,1", "2097152,1", "5242897,2", "5242897,3", "5242880,8"})
  void isTheSumOfTheWhole(int bytes, int pieceBlocks) {
    byte[] value = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(value);
    MemorySegment whole = MemorySegment.ofArray(value);
    PiecewiseCrc crc = new PiecewiseCrc();

    for (int at = 0; at < bytes; at += pieceBlocks * MIB) {
      crc.add(whole.asSlice(at, Math.min(pieceBlocks * MIB, bytes - at)));
    }

    assertThat(crc.value()).isEqualTo(ValueCrc.of(whole).value());
  }

  @Test
  void onlyTheLastPieceMayEndWithinABlock() {
    PiecewiseCrc crc = new PiecewiseCrc();
    crc.add(MemorySegment.ofArray(new byte[MIB + 1]));

    assertThatThrownBy(() -> crc.add(MemorySegment.ofArray(new byte[1])))
        .isInstanceOf(IllegalStateException.class);
  }
}
