package io.moonpool.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.libc.Errno;
import io.moonpool.model.ErrorCode;
import io.moonpool.storage.file.FileEntry;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.FileOperation;
import io.moonpool.storage.file.ForwardingFile;
import io.moonpool.storage.file.ForwardingLayer;
import io.moonpool.storage.file.OpenFile;
import io.moonpool.storage.file.PosixFileLayer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * An object is called damaged when that is proven, and only then: whoever listens drops the copy.
 * Everything else that makes a read fail is told to the reader and counted.
 */
class DamageProofTest {
  @TempDir Path temporary;
  private final BadDisk layer = new BadDisk();
  private Disk disk;

  /** Fails to open or read data files, everywhere or in a range, some times or always. */
  private static final class BadDisk extends ForwardingLayer {
    volatile Errno openError;
    volatile Errno readError;
    volatile int readFailures = Integer.MAX_VALUE;
    volatile long badFrom;
    volatile long badTo = Long.MAX_VALUE;
    volatile boolean unlistable;

    BadDisk() {
      super(new PosixFileLayer());
    }

    @Override
    public OpenFile open(Path file, boolean direct) throws FileException {
      if (!file.toString().endsWith(".data")) {
        return super.open(file, direct);
      }
      if (openError != null) {
        throw new FileException(FileOperation.OPEN, file, openError, "injected");
      }
      return new ForwardingFile(super.open(file, direct)) {
        @Override
        public long read(MemorySegment into, long position) throws FileException {
          boolean bad = position < badTo && position + into.byteSize() > badFrom;
          if (readError != null && bad && readFailures > 0) {
            readFailures--;
            throw new FileException(FileOperation.READ, file, readError, "injected");
          }
          return super.read(into, position);
        }
      };
    }

    @Override
    public List<FileEntry> list(Path directory) throws FileException {
      if (unlistable) {
        throw new FileException(FileOperation.LIST, directory, Errno.ENOENT, "injected");
      }
      return super.list(directory);
    }

    void heal() {
      openError = null;
      readError = null;
      unlistable = false;
    }
  }

  @BeforeEach
  void open() {
    disk = Disk.open(layer, temporary.resolve("disk"), Disk.OPTIONS);
  }

  @AfterEach
  void close() {
    disk.close();
  }

  private void assertKept(Errno errno) {
    long failures = disk.store.stats().readFailures();
    ReadResult read = disk.read(1);
    assertThat(read.ok()).isFalse();
    assertThat(read.detail()).contains(errno.name());
    assertThat(disk.damages).as(read.detail()).isEmpty();
    assertThat(disk.store.stats().damagedObjects()).isZero();
    assertThat(disk.store.stats().readFailures()).isEqualTo(failures + 1);
    layer.heal();
    assertThat(disk.read(1).ok()).isTrue();
  }

  private void assertDamaged(ErrorCode code) {
    assertThat(disk.read(1).code()).isEqualTo(code);
    assertThat(disk.damages)
        .singleElement()
        .satisfies(
            damage -> {
              assertThat(damage.version()).isEqualTo(1);
              assertThat(damage.code()).isEqualTo(code);
            });
    assertThat(disk.store.stats().damagedObjects()).isEqualTo(1);
  }

  @Test
  void damageIsToldToNobodyElseWhenItIsNotToBeReported() throws IOException {
    disk.put(1, 5000);
    try (var files = Files.list(disk.directory.buckets())) {
      Files.delete(files.filter(file -> file.toString().endsWith(".data")).findFirst().get());
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(BucketStore.bufferBytes(0, 5000), 4096);
      assertThat(disk.store.readUnreported(1, 0, 5000, into, true).code())
          .isEqualTo(ErrorCode.FILE_NOT_FOUND);
    }
    assertThat(disk.damages).isEmpty();
    assertThat(disk.store.stats().damagedObjects()).isZero();
    assertThat(disk.store.stats().readFailures()).isEqualTo(1);
    assertDamaged(ErrorCode.FILE_NOT_FOUND);
  }

  // What passes.

  @ParameterizedTest
  @EnumSource(
      value = Errno.class,
      mode = Mode.EXCLUDE,
      names = {"ENOENT", "EINVAL"})
  void anErrorOfOpeningProvesNothing(Errno errno) {
    disk.put(1, 5000);
    layer.openError = errno;
    assertKept(errno);
  }

  @ParameterizedTest
  @EnumSource(
      value = Errno.class,
      mode = Mode.EXCLUDE,
      names = {"EINVAL"})
  void anErrorOfTheWholeDiskProvesNothing(Errno errno) {
    disk.put(1, 5000);
    layer.readError = errno;
    assertKept(errno);
  }

  @Test
  void oneErrorIsReadAgain() {
    disk.put(1, 5000);
    assertThat(disk.read(1).ok()).isTrue(); // the descriptors were looked at
    layer.readFailures = 1;
    layer.readError = Errno.EIO;
    assertThat(disk.read(1).ok()).isTrue();
    assertThat(layer.readFailures).as("it did fail").isZero();
    assertThat(disk.damages).isEmpty();
  }

  @Test
  void errorsThatEndWhileTheyAreLookedIntoProveNothing() {
    disk.put(1, 5000);
    assertThat(disk.read(1).ok()).isTrue();
    layer.badTo = 4096; // where the value is
    layer.readFailures = 2;
    layer.readError = Errno.EIO;
    assertKept(Errno.EIO);
  }

  @Test
  void aDirectoryThatIsNotThereNow() throws IOException {
    disk.put(1, 5000);
    Path away = temporary.resolve("away");
    Files.move(disk.directory.buckets(), away);
    assertThat(disk.read(1).code()).isEqualTo(ErrorCode.FILE_NOT_FOUND);
    assertThat(disk.damages).isEmpty();
    Files.move(away, disk.directory.buckets());
    assertThat(disk.read(1).ok()).isTrue();
  }

  @Test
  void aDiskThatIsNotThereNow() throws IOException {
    disk.put(1, 5000);
    Path away = temporary.resolve("away");
    Files.move(disk.directory.path(), away);
    Files.createDirectories(disk.directory.buckets()); // what a mount point looks like
    assertThat(disk.read(1).code()).isEqualTo(ErrorCode.FILE_NOT_FOUND);
    assertThat(disk.damages).isEmpty();
    Files.delete(disk.directory.buckets());
    Files.delete(disk.directory.path());
    Files.move(away, disk.directory.path());
    assertThat(disk.read(1).ok()).isTrue();
  }

  @Test
  void anotherDiskInItsPlace() throws IOException {
    long bucket = disk.put(1, 5000);
    Path own = disk.directory.idFile();
    String id = Files.readString(own);
    Files.writeString(own, UUID.randomUUID() + "\n");
    flip(disk.data(bucket), 0);
    ReadResult read = disk.read(1);
    assertThat(read.code()).isEqualTo(ErrorCode.CHECKSUM_MISMATCH);
    assertThat(read.detail()).contains("another disk");
    assertThat(disk.damages).isEmpty();
    Files.writeString(own, id);
    flip(disk.data(bucket), 0);
    assertThat(disk.read(1).ok()).isTrue();
  }

  @Test
  void aFolderThatCannotBeListedProvesNoFileMissing() {
    disk.put(1, 5000);
    layer.openError = Errno.ENOENT;
    layer.unlistable = true;
    assertKept(Errno.ENOENT);
  }

  @Test
  void aFileThatIsThereIsNotMissing() {
    disk.put(1, 5000);
    layer.openError = Errno.ENOENT;
    assertKept(Errno.ENOENT);
  }

  // What is proven.

  @Test
  void otherBytes() throws IOException {
    flip(disk.data(disk.put(1, 5000)), 4999);
    assertDamaged(ErrorCode.CHECKSUM_MISMATCH);
  }

  @Test
  void aFileThatIsCutOff() throws IOException {
    long bucket = disk.put(1, 12_000);
    try (FileChannel file = FileChannel.open(disk.data(bucket), StandardOpenOption.WRITE)) {
      file.truncate(4096);
    }
    assertDamaged(ErrorCode.FILE_READ_FAIL);
  }

  @Test
  void aFileThatIsGone() throws IOException {
    Files.delete(disk.data(disk.put(1, 5000)));
    assertDamaged(ErrorCode.FILE_NOT_FOUND);
  }

  @Test
  void anotherFileInItsPlace() throws IOException {
    long first = disk.put(1, 5000);
    long second = disk.put(2, 5000);
    Files.delete(disk.data(first));
    Files.copy(disk.data(second), disk.data(first));
    assertDamaged(ErrorCode.CHECKSUM_MISMATCH);
  }

  @Test
  void sectorsThatFailWhileTheirNeighboursDoNot() {
    disk.put(1, 5000, 2, 5000);
    layer.badTo = 8192;
    layer.readError = Errno.EIO;
    assertDamaged(ErrorCode.FILE_READ_FAIL);
    assertThat(disk.read(2).ok()).isTrue();
    assertThat(disk.damages).hasSize(1);
  }

  @Test
  void sectorsThatFailBehindOthers() {
    disk.put(2, 5000, 1, 5000);
    layer.badFrom = 8192;
    layer.badTo = 16_384;
    layer.readError = Errno.EIO;
    assertDamaged(ErrorCode.FILE_READ_FAIL);
    assertThat(disk.read(2).ok()).isTrue();
  }

  @Test
  void whatItIsCanBeToldByItsVersion() {
    disk.put(1, 5000, 2, 6000);
    assertThat(disk.store.record(2)).get().isEqualTo(Values.record("key-2", 2, 6000));
    assertThat(disk.store.record(3)).isEmpty();
  }

  private static void flip(Path file, long at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) at] ^= 1;
    Files.write(file, bytes);
  }
}
