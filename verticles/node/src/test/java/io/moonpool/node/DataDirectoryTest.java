package io.moonpool.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  @TempDir Path temporary;

  @Test
  void keepsTheIdOverRestarts() {
    Path directory = temporary.resolve("a/b");
    UUID first;
    try (DataDirectory opened = DataDirectory.open(directory)) {
      first = opened.nodeId();
    }
    try (DataDirectory opened = DataDirectory.open(directory)) {
      assertThat(opened.nodeId()).isEqualTo(first);
    }
  }

  @Test
  void refusesASecondOwnerAndNamesTheFirst() {
    try (DataDirectory first = DataDirectory.open(temporary)) {
      assertThatThrownBy(() -> DataDirectory.open(temporary))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_LOCK_FAIL))
          .hasMessageContaining("process " + ProcessHandle.current().pid());
      assertThat(first.nodeId()).isNotNull();
    }
    DataDirectory.open(temporary).close();
  }

  @Test
  void saysWhichFileIsDamaged() throws IOException {
    Files.writeString(temporary.resolve("node-id"), "garbage");
    assertThatThrownBy(() -> DataDirectory.open(temporary))
        .hasMessageContaining("node-id holds no id but 'garbage'");
    Files.delete(temporary.resolve("node-id"));
    DataDirectory.open(temporary).close();
  }

  @Test
  void saysThatAFileIsNoDirectory() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "");
    assertThatThrownBy(() -> DataDirectory.open(file))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_OPEN_FAIL));
  }
}
