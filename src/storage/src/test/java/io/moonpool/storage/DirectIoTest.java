package io.moonpool.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.moonpool.libc.Errno;
import io.moonpool.libc.LibcException;
import io.moonpool.libc.PosixFile;
import io.moonpool.storage.file.FaultyLayer;
import io.moonpool.storage.file.FileOperation;
import io.moonpool.storage.file.PosixFileLayer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads and writes really go around the page cache, and what they bring is right. */
class DirectIoTest {
  private static final long[] LENGTHS = {4096, 7001, 12_000, 5000};
  private static final long[] PUT = {1, 4096, 2, 7001, 3, 12_000, 4, 5000};

  private Path directory;

  @BeforeEach
  void makeDirectory() throws IOException {
    // Temporary directories may be on tmpfs, which pretends: the disk is meant.
    directory = Files.createTempDirectory(Path.of("/var/tmp"), "moonpool-direct-");
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private void assumeDirect() {
    try (PosixFile file = PosixFile.create(directory.resolve("try").toString(), true)) {
      assertThat(file.isDirect()).isTrue();
    } catch (LibcException e) {
      assumeTrue(false, "no O_DIRECT on " + directory + ": " + e.getMessage());
    }
  }

  @Test
  void readsAroundThePageCache() throws Throwable {
    assumeDirect();
    try (Disk disk = Disk.open(new PosixFileLayer(), directory, Disk.OPTIONS)) {
      long bucket = disk.put(PUT);
      for (int i = 0; i < LENGTHS.length; i++) {
        assertThat(disk.store.length(i + 1)).isEqualTo(LENGTHS[i]);
        assertThat(disk.read(i + 1).ok()).isTrue();
      }
      List<Integer> flags = flagsOfOpenFiles(disk.data(bucket));
      assertThat(flags).isNotEmpty().allMatch(DirectIoTest::hasDirectFlag);
      assertThat(residentPages(disk.data(bucket))).as("pages in the cache").isZero();
      assertThat(disk.store.stats().bufferedOpens()).isZero();
    }
  }

  @Test
  void theCacheIsSeenWhenItIsUsed() throws Throwable {
    assumeDirect();
    // The counterpart of the test above: its measurements do see buffered reads.
    StoreOptions buffered = Disk.OPTIONS.withDirect(false, true);
    try (Disk disk = Disk.open(new PosixFileLayer(), directory, buffered)) {
      long bucket = disk.put(PUT);
      assertThat(disk.read(3).ok()).isTrue();
      assertThat(flagsOfOpenFiles(disk.data(bucket)))
          .isNotEmpty()
          .noneMatch(DirectIoTest::hasDirectFlag);
      assertThat(residentPages(disk.data(bucket))).isGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void bufferedWritesLeaveTheCacheToo() throws Throwable {
    assumeDirect();
    StoreOptions buffered = Disk.OPTIONS.withDirect(true, false);
    try (Disk disk = Disk.open(new PosixFileLayer(), directory, buffered)) {
      long bucket = disk.put(PUT);
      assertThat(residentPages(disk.data(bucket))).isZero();
      for (int i = 0; i < LENGTHS.length; i++) {
        assertThat(disk.read(i + 1).ok()).isTrue();
      }
    }
  }

  @Test
  void aFileSystemWithoutItIsReadThroughTheCache() {
    FaultyLayer layer = new FaultyLayer();
    layer.failDirect(FileOperation.CREATE, ".data", Errno.EINVAL);
    layer.failDirect(FileOperation.OPEN, ".data", Errno.EINVAL);
    try (Disk disk = Disk.open(layer, directory, Disk.OPTIONS)) {
      disk.put(PUT);
      for (int i = 0; i < LENGTHS.length; i++) {
        assertThat(disk.read(i + 1).ok()).isTrue();
      }
      assertThat(disk.store.stats().bufferedOpens()).isEqualTo(2); // one written, one read
      assertThat(disk.damages).isEmpty();
    }
  }

  @Test
  void aDiskWithGreaterBlocksIsReadThroughTheCache() {
    FaultyLayer layer = new FaultyLayer();
    try (Disk disk = Disk.open(layer, directory, Disk.OPTIONS)) {
      disk.put(PUT);
      layer.failDirect(FileOperation.READ, ".data", Errno.EINVAL);
      for (int i = 0; i < LENGTHS.length; i++) {
        assertThat(disk.read(i + 1).ok()).isTrue();
      }
      assertThat(disk.store.stats().bufferedOpens()).isPositive();
      assertThat(disk.damages).isEmpty();
    }
  }

  private static boolean hasDirectFlag(int flags) {
    int direct = System.getProperty("os.arch").equals("aarch64") ? 0x10000 : 0x4000;
    return (flags & direct) != 0;
  }

  /** The flags of every descriptor of this process that is open on a file. */
  private static List<Integer> flagsOfOpenFiles(Path file) throws IOException {
    List<Integer> flags = new ArrayList<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        try {
          if (Files.readSymbolicLink(descriptor).equals(file)) {
            Path info = Path.of("/proc/self/fdinfo").resolve(descriptor.getFileName());
            for (String line : Files.readAllLines(info)) {
              if (line.startsWith("flags:")) {
                flags.add(Integer.parseInt(line.substring("flags:".length()).strip(), 8));
              }
            }
          }
        } catch (NoSuchFileException e) {
          // Closed meanwhile, such as the one that lists them.
        }
      }
    }
    return flags;
  }

  /** How many pages of a file are in the page cache, by mincore. */
  private static long residentPages(Path file) throws Throwable {
    Linker linker = Linker.nativeLinker();
    MethodHandle mincore =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("mincore"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      MemorySegment pages = arena.allocate((channel.size() + 4095) / 4096);
      assertThat((int) mincore.invokeExact(mapped, channel.size(), pages)).isZero();
      long resident = 0;
      for (long i = 0; i < pages.byteSize(); i++) {
        resident += pages.get(ValueLayout.JAVA_BYTE, i) & 1;
      }
      return resident;
    }
  }
}
