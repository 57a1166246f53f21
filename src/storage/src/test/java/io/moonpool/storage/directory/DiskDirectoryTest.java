package io.moonpool.storage.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.storage.file.PosixFileLayer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskDirectoryTest {
  private final PosixFileLayer layer = new PosixFileLayer();
  @TempDir Path temporary;

  private DiskDirectory open(Path directory) {
    return DiskDirectory.open(layer, directory, "disk_dir");
  }

  @Test
  void keepsItsIdAndNeverRepeatsABucketId() {
    Path directory = temporary.resolve("a/b");
    UUID id;
    long first;
    try (DiskDirectory opened = open(directory)) {
      id = opened.id();
      first = opened.firstBucketId();
      assertThat(opened.buckets()).isDirectory();
      assertThat(opened.damaged()).isDirectory();
    }
    try (DiskDirectory opened = open(directory)) {
      assertThat(opened.id()).isEqualTo(id);
      assertThat(opened.firstBucketId()).isGreaterThanOrEqualTo(first + (1L << 32));
    }
  }

  @Test
  void refusesASecondOwnerAndNamesTheFirst() {
    try (DiskDirectory first = open(temporary)) {
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatThrownBy(() -> open(temporary))
            .isInstanceOfSatisfying(
                StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_LOCK_FAIL))
            .hasMessageContaining("disk_dir " + temporary)
            .hasMessageContaining("process " + ProcessHandle.current().pid());
      }
      assertThat(first.id()).isNotNull();
    }
    open(temporary).close();
  }

  @Test
  void anotherProcessIsRefusedEvenAfterAFailedAttemptInThisOne() throws Exception {
    try (DiskDirectory first = open(temporary)) {
      assertThatThrownBy(() -> open(temporary)).isInstanceOf(StoreException.class);
      Process other =
          new ProcessBuilder("flock", "--nonblock", temporary.resolve("lock").toString(), "true")
              .start();
      assertThat(other.waitFor()).as("flock was refused").isEqualTo(1);
      assertThat(first.id()).isNotNull();
    }
  }

  @Test
  void refusesAFormatOfTheFuture() throws IOException {
    open(temporary).close();
    Files.writeString(temporary.resolve("format"), "moonpool-disk 2\n");
    assertThatThrownBy(() -> open(temporary))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED))
        .hasMessageContaining("moonpool-disk 2");
    Files.writeString(temporary.resolve("format"), "moonpool-disk 1\n");
    open(temporary).close(); // the refused attempt kept no lock
  }

  @Test
  void saysWhichFileIsDamaged() throws IOException {
    open(temporary).close();
    String id = Files.readString(temporary.resolve("disk-id"));
    Files.writeString(temporary.resolve("disk-id"), "garbage");
    assertThatThrownBy(() -> open(temporary))
        .hasMessageContaining("disk-id holds no id but 'garbage'");
    Files.writeString(temporary.resolve("disk-id"), id);
    Files.writeString(temporary.resolve("opens"), "-3");
    assertThatThrownBy(() -> open(temporary)).hasMessageContaining("opens holds no count but '-3'");
    Files.writeString(temporary.resolve("opens"), "17");
    try (DiskDirectory opened = open(temporary)) {
      assertThat(opened.firstBucketId()).isEqualTo(18L << 32);
    }
  }

  @Test
  void aUsedDiskIsNotGivenAnotherId() throws IOException {
    open(temporary).close();
    Files.delete(temporary.resolve("disk-id"));
    assertThatThrownBy(() -> open(temporary))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_READ_FAIL))
        .hasMessageContaining("disk-id is missing although the directory was in use");
    assertThat(temporary.resolve("disk-id")).doesNotExist();
  }

  @Test
  void saysThatAFileIsNoDirectory() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "");
    assertThatThrownBy(() -> open(file))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_OPEN_FAIL));
    assertThatThrownBy(() -> open(file.resolve("below")))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_OPEN_FAIL));
  }
}
