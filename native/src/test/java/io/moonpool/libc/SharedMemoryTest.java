package io.moonpool.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class SharedMemoryTest {
  private static final long PID = ProcessHandle.current().pid();

  @Test
  void showsTheSameMemoryToEveryMapping() {
    try (SharedMemory owner = SharedMemory.create("moonpool-test", 3 * Libc.PAGE_BYTES - 1)) {
      owner.reserve();
      assertThat(owner.bytes()).isEqualTo(3 * Libc.PAGE_BYTES);
      try (Mapping all = owner.map(0, owner.bytes());
          SharedMemory peer = SharedMemory.openPeers(PID, owner.fd());
          Mapping last = peer.map(2 * Libc.PAGE_BYTES, 100)) {
        assertThat(peer.bytes()).isEqualTo(owner.bytes());
        last.memory().set(ValueLayout.JAVA_LONG, 8, 77);
        assertThat(all.memory().get(ValueLayout.JAVA_LONG, 2 * Libc.PAGE_BYTES + 8)).isEqualTo(77);
      }
    }
  }

  @Test
  void livesAsLongAsAMapping() {
    Mapping mapping;
    try (SharedMemory owner = SharedMemory.create("moonpool-test", 100)) {
      owner.reserve();
      mapping = owner.map(0, 100);
    }
    try (mapping) {
      mapping.memory().fill((byte) 1);
      assertThat(mapping.memory().get(ValueLayout.JAVA_BYTE, 99)).isEqualTo((byte) 1);
    }
  }

  @Test
  void leavesNothingBehind() throws IOException {
    SharedMemory owner = SharedMemory.create("moonpool-unique-name", 100);
    Mapping mapping = owner.map(0, 100);
    assertThat(Files.readString(Path.of("/proc/self/maps"))).contains("moonpool-unique-name");
    mapping.close();
    owner.close();
    owner.close();
    assertThat(Files.readString(Path.of("/proc/self/maps"))).doesNotContain("moonpool-unique-name");
    assertThatThrownBy(() -> owner.map(0, 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(owner::reserve).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void cannotBeCutShorter() throws IOException {
    try (SharedMemory owner = SharedMemory.create("moonpool-test", 8192);
        RandomAccessFile file = new RandomAccessFile("/proc/self/fd/" + owner.fd(), "rw")) {
      assertThatThrownBy(() -> file.setLength(0)).isInstanceOf(IOException.class);
      assertThat(file.length()).isEqualTo(8192);
    }
  }

  @Test
  void checksSizesAndRanges() {
    assertThatThrownBy(() -> SharedMemory.create("x", 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SharedMemory.openPeers(-1, 3))
        .isInstanceOf(IllegalArgumentException.class);
    try (SharedMemory owner = SharedMemory.create("moonpool-test", 4096)) {
      assertThatThrownBy(() -> owner.map(0, 4097)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> owner.map(-4096, 4096)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> owner.map(Long.MAX_VALUE, 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> owner.map(5, 10)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void namesTheErrorWhenThereIsNoSuchPeer() {
    assertThatThrownBy(() -> SharedMemory.openPeers(PID, 1_000_000))
        .isInstanceOfSatisfying(
            LibcException.class,
            e -> {
              assertThat(e.errno()).isEqualTo(Errno.ENOENT);
              assertThat(e).hasMessageContaining("open").hasMessageContaining("ENOENT");
            });
  }

  /** A file system with a limit refuses at once what anonymous memory would only run out of. */
  @Test
  void saysSoWhenTheSpaceCannotBeReserved() throws IOException {
    Path limited = Path.of("/dev/shm");
    Assumptions.assumeTrue(Files.isWritable(limited));
    Path file = Files.createTempFile(limited, "moonpool-test", "");
    int fd = Libc.open(file.toString(), Libc.O_RDWR);
    try {
      long bytes = Files.getFileStore(limited).getTotalSpace() + Libc.PAGE_BYTES;
      assertThatThrownBy(() -> Libc.fallocate(fd, 0, bytes))
          .isInstanceOfSatisfying(
              OutOfSpaceException.class,
              e -> {
                assertThat(e.errno()).isEqualTo(Errno.ENOSPC);
                assertThat(e).hasMessageContaining("make the segments smaller");
              });
    } finally {
      Libc.close(fd);
      Files.delete(file);
    }
  }
}
