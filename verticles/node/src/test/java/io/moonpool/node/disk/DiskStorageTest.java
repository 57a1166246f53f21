package io.moonpool.node.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.moonpool.model.Checksum;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.Outcome;
import io.moonpool.storage.BucketWriter;
import io.moonpool.storage.DamageListener;
import io.moonpool.storage.ObjectRecord;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The node's disk on file systems that are not like others. */
class DiskStorageTest {
  private static final int VALUE_BYTES = 1 << 20;

  @TempDir private Path directory;

  @Test
  void aSmallFileSystemIsUsedToo() throws Exception {
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", directory.toString()) == 0,
        "mounting is not allowed here");
    try (Arena arena = Arena.ofShared()) {
      MemorySegment value = arena.allocate(VALUE_BYTES, StagingMemory.ALIGNMENT);
      value.fill((byte) 7);
      try (DiskStorage disk =
          DiskStorage.open(DiskConfig.in(directory.resolve("disk")), DamageListener.NONE)) {
        BucketWriter bucket = disk.store().newBucket();
        assertThat(bucket.append(record(), value, 0).code().name()).isEqualTo("OK");
        assertThat(bucket.commit().ok()).isTrue();

        MemorySegment block = arena.allocate(VALUE_BYTES, StagingMemory.ALIGNMENT);
        assertThat(disk.read(1, 0, VALUE_BYTES, block)).isEqualTo(Outcome.of(0L));
        assertThat(block.mismatch(value)).isEqualTo(-1);
      }
    } finally {
      run("umount", directory.toString());
    }
  }

  private static ObjectRecord record() {
    return new ObjectRecord(
        "default",
        new byte[] {1},
        1,
        VALUE_BYTES,
        Checksum.NONE,
        ObjectDataType.UNKNOWN,
        0,
        false,
        "");
  }

  private static int run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(List.of(command))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.waitFor(10, TimeUnit.SECONDS) ? process.exitValue() : -1;
  }
}
