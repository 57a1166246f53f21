package io.moonpool.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PosixFileTest {
  @TempDir Path directory;

  @Test
  void readsWhatWasWritten() {
    String path = directory.resolve("file").toString();
    try (Arena arena = Arena.ofConfined();
        PosixFile file = PosixFile.create(path, false)) {
      MemorySegment bytes = arena.allocate(5000);
      bytes.fill((byte) 7);
      file.write(bytes, 3);
      file.syncData();
      file.sync();
      assertThat(file.size()).isEqualTo(5003);
      MemorySegment back = arena.allocate(6000);
      assertThat(file.read(back, 3)).isEqualTo(5000);
      assertThat(back.get(ValueLayout.JAVA_BYTE, 4999)).isEqualTo((byte) 7);
      assertThat(file.read(back, 5003)).isZero();
      file.truncate(10);
      assertThat(file.size()).isEqualTo(10);
    }
  }

  @Test
  void reservesSpaceWithoutChangingTheSize() throws Exception {
    Path path = directory.resolve("file");
    try (PosixFile file = PosixFile.create(path.toString(), false)) {
      file.reserve(0, 1 << 20);
      assertThat(file.size()).isZero();
      assertThat(blocksOnDisk(path)).isGreaterThanOrEqualTo((1 << 20) / 512);
    }
  }

  private static long blocksOnDisk(Path path) throws Exception {
    Process stat = new ProcessBuilder("stat", "--format=%b", path.toString()).start();
    return Long.parseLong(new String(stat.getInputStream().readAllBytes()).strip());
  }

  @Test
  void directReadsAndWritesWantBlocks() {
    String path = directory.resolve("file").toString();
    PosixFile file;
    try {
      file = PosixFile.create(path, true);
    } catch (LibcException e) {
      assumeTrue(false, "no O_DIRECT here: " + e.getMessage());
      return;
    }
    try (file;
        Arena arena = Arena.ofConfined()) {
      assertThat(file.isDirect()).isTrue();
      MemorySegment block = arena.allocate(8192, 4096);
      block.fill((byte) 1);
      file.write(block, 0);
      file.truncate(5000);
      block.fill((byte) 0);
      // The last block of the file comes back short, and that is no reason to ask again.
      assertThat(file.read(block, 0)).isEqualTo(5000);
      assertThat(block.get(ValueLayout.JAVA_BYTE, 4999)).isEqualTo((byte) 1);
    }
  }

  @Test
  void saysWhatFailed() {
    String absent = directory.resolve("absent").toString();
    assertThatThrownBy(() -> PosixFile.openForReading(absent, false))
        .isInstanceOfSatisfying(
            LibcException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT))
        .hasMessageContaining("absent");
    assertThatThrownBy(() -> PosixFile.delete(absent)).hasMessageContaining("ENOENT");
    PosixFile.create(absent, false).close();
    assertThatThrownBy(() -> PosixFile.create(absent, false)).hasMessageContaining("EEXIST");
    assertThatThrownBy(() -> PosixFile.createDirectory(directory.toString()))
        .hasMessageContaining("EEXIST");
    assertThatThrownBy(() -> PosixFile.openDirectory(absent)).hasMessageContaining("ENOTDIR");
  }

  @Test
  void renamesOverAnotherFile() throws IOException {
    Path from = Files.writeString(directory.resolve("from"), "new");
    Path to = Files.writeString(directory.resolve("to"), "old");
    PosixFile.rename(from.toString(), to.toString());
    assertThat(Files.readString(to)).isEqualTo("new");
    assertThat(from).doesNotExist();
    try (PosixFile open = PosixFile.openDirectory(directory.toString())) {
      open.sync();
    }
  }

  @Test
  void aLockBelongsToTheOpenFile() {
    String path = directory.resolve("lock").toString();
    try (PosixFile first = PosixFile.openOrCreate(path)) {
      assertThat(first.tryLock()).isTrue();
      try (PosixFile second = PosixFile.openOrCreate(path)) {
        assertThat(second.tryLock()).isFalse();
      }
      try (PosixFile third = PosixFile.openOrCreate(path)) {
        // That the second was closed took nothing from the first.
        assertThat(third.tryLock()).isFalse();
      }
    }
    try (PosixFile next = PosixFile.openOrCreate(path)) {
      assertThat(next.tryLock()).isTrue();
    }
  }

  @Test
  void tellsTheSpaceOfAFileSystem() throws IOException {
    FileSystemSpace space = PosixFile.space(directory.toString());
    assertThat(space.totalBytes()).isEqualTo(Files.getFileStore(directory).getTotalSpace());
    assertThat(space.availableBytes()).isBetween(0L, space.totalBytes());
  }

  @Test
  void isNotUsedAfterClose() {
    PosixFile file = PosixFile.create(directory.resolve("file").toString(), false);
    file.close();
    file.close();
    assertThatThrownBy(file::size).isInstanceOf(IllegalStateException.class);
  }
}
