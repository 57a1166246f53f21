package io.moonpool.app.demo;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
  private static final int SIZE = 10_000;

  private final Arena arena = Arena.ofAuto();
  private final DemoObject object = new DemoObject.GeneratedBytes("some-key", SIZE, 5);
  private final Lanes.Buffers buffers =
      new Lanes.Buffers(arena.allocate(SIZE + 1), arena.allocate(SIZE + 1));
  private final Comparison comparison = new Comparison(object, "a wire", buffers);

  @TempDir Path folder;

  @Test
  void theSameBytesAreFine() throws IOException {
    MemorySegment bytes = bytes(object);
    comparison.piece(0, bytes.asSlice(0, 8_000));
    comparison.piece(8_000, bytes.asSlice(8_000));
    assertThatCode(() -> comparison.end("")).doesNotThrowAnyException();
  }

  @Test
  void oneWrongByteIsFoundAndNamed() throws IOException {
    MemorySegment bytes = bytes(object);
    comparison.piece(0, bytes.asSlice(0, 8_000));
    long wrong = 9_001;
    bytes.set(ValueLayout.JAVA_BYTE, wrong, (byte) (bytes.get(ValueLayout.JAVA_BYTE, wrong) ^ 1));
    assertThatThrownBy(() -> comparison.piece(8_000, bytes.asSlice(8_000)))
        .isInstanceOf(DemoFailure.class)
        .hasMessageContainingAll("some-key", "a wire", "9001");
  }

  @Test
  void missingBytesAreFound() throws IOException {
    comparison.piece(0, bytes(object).asSlice(0, 8_000));
    assertThatThrownBy(() -> comparison.end(""))
        .isInstanceOf(DemoFailure.class)
        .hasMessageContainingAll("some-key", "has 8000 bytes, but 10000 were stored");
  }

  @Test
  void bytesTooManyAreFound() {
    assertThatThrownBy(() -> comparison.piece(0, arena.allocate(SIZE + 1)))
        .isInstanceOf(DemoFailure.class)
        .hasMessageContainingAll("some-key", "at least 10001");
  }

  @Test
  void anotherChecksumIsFound() throws IOException {
    Path file = folder.resolve("f");
    Files.writeString(file, "hello");
    DemoObject stored = DemoData.files(List.of(file), folder).getFirst();
    Comparison ofFile = new Comparison(stored, "a wire", buffers);
    ofFile.piece(0, bytes(stored));
    assertThatThrownBy(() -> ofFile.end("00"))
        .hasMessageContainingAll(
            "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", "00");
  }

  private MemorySegment bytes(DemoObject of) throws IOException {
    MemorySegment bytes = arena.allocate(of.size());
    of.read(0, bytes);
    return bytes;
  }
}
