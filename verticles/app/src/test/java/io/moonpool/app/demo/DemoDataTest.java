package io.moonpool.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoDataTest {
  private static final long MIB = 1L << 20;

  @TempDir Path folder;

  @Test
  void generatedObjectsAddUpAndStayWithinTheirSizes() {
    List<DemoObject> objects = DemoData.generated(256 * MIB, 1);

    assertThat(objects).extracting(DemoObject::key).doesNotHaveDuplicates();
    assertThat(objects.stream().mapToLong(DemoObject::size).sum()).isEqualTo(256 * MIB);
    // The last one also takes a rest that is too small for an object of its own.
    assertThat(objects).allMatch(o -> o.size() >= 4 << 10 && o.size() < 16 * MIB + (4 << 10));
    assertThat(objects).anyMatch(o -> o.size() < 16 << 10).anyMatch(o -> o.size() > 8 * MIB);
  }

  @Test
  void theSeedDeterminesSizesAndContents() {
    assertThat(DemoData.generated(8 * MIB, 7)).isEqualTo(DemoData.generated(8 * MIB, 7));
    assertThat(DemoData.generated(8 * MIB, 7)).isNotEqualTo(DemoData.generated(8 * MIB, 8));
  }

  @Test
  void smallAmountsAreOneObject() {
    assertThat(DemoData.generated(0, 1)).isEmpty();
    assertThat(DemoData.generated(1, 1)).extracting(DemoObject::size).containsExactly(1L);
  }

  @Test
  void piecesOfAGeneratedObjectFitTogether() throws IOException {
    DemoObject object = new DemoObject.GeneratedBytes("k", 1003, 42);
    byte[] whole = read(object, 0, 1003);
    assertThat(read(object, 0, 512)).isEqualTo(slice(whole, 0, 512));
    assertThat(read(object, 512, 491)).isEqualTo(slice(whole, 512, 491));
    assertThat(read(new DemoObject.GeneratedBytes("k", 1003, 43), 0, 1003)).isNotEqualTo(whole);
  }

  @Test
  void filesGetKeysRelativeToTheWorkingFolder() throws IOException {
    Path inner = Files.createDirectories(folder.resolve("a/b"));
    Files.writeString(inner.resolve("two"), "22");
    Files.writeString(folder.resolve("a/one"), "1");
    Files.writeString(folder.resolve("a/empty"), "");

    List<DemoObject> objects =
        DemoData.files(List.of(folder.resolve("a"), folder.resolve("a/one")), folder);

    assertThat(objects).extracting(DemoObject::key).containsExactly("a/b/two", "a/one");
    assertThat(new String(read(objects.getFirst(), 0, 2), StandardCharsets.UTF_8)).isEqualTo("22");
    assertThat(DemoData.files(List.of(folder.resolve("a/one")), inner))
        .extracting(DemoObject::key)
        .containsExactly(folder.resolve("a/one").toString());
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> DemoData.files(List.of(folder.resolve("none")), folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("there is no file " + folder.resolve("none"));
  }

  @Test
  void aFileThatBecameShorterIsNoticed() throws IOException {
    Path file = folder.resolve("f");
    Files.writeString(file, "12345");
    DemoObject object = DemoData.files(List.of(file), folder).getFirst();
    Files.writeString(file, "123");
    assertThatThrownBy(() -> read(object, 0, 5)).hasMessageContaining("became shorter");
  }

  private static byte[] read(DemoObject object, long offset, int length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(length);
      object.read(offset, target);
      return target.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    }
  }

  private static byte[] slice(byte[] whole, int from, int length) {
    return java.util.Arrays.copyOfRange(whole, from, from + length);
  }
}
