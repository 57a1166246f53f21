package io.moonpool.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.libc.Errno;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.FileOperation;
import io.moonpool.storage.file.ForwardingFile;
import io.moonpool.storage.file.ForwardingLayer;
import io.moonpool.storage.file.OpenFile;
import io.moonpool.storage.file.PosixFileLayer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that may have few files reads from many buckets. */
class FewFilesTest {
  private static final int LIMIT = 3;

  private final AtomicInteger open = new AtomicInteger();
  @TempDir Path temporary;

  /** Refuses data files beyond a limit, as the kernel does. */
  private final class FewFiles extends ForwardingLayer {
    FewFiles() {
      super(new PosixFileLayer());
    }

    @Override
    public OpenFile open(Path file, boolean direct) throws FileException {
      if (!file.toString().endsWith(".data")) {
        return super.open(file, direct);
      }
      if (open.get() == LIMIT) {
        throw new FileException(FileOperation.OPEN, file, Errno.EMFILE, "injected");
      }
      OpenFile opened = super.open(file, direct);
      open.incrementAndGet();
      return new ForwardingFile(opened) {
        @Override
        public void close() {
          open.decrementAndGet();
          super.close();
        }
      };
    }
  }

  @Test
  void filesThatNobodyReadsGiveWay() {
    try (Disk disk = Disk.open(new FewFiles(), temporary, Disk.OPTIONS.withOpenFiles(1000))) {
      for (int version = 1; version <= 10; version++) {
        disk.put(version, 5000);
      }
      for (int round = 0; round < 2; round++) {
        for (int version = 1; version <= 10; version++) {
          assertThat(disk.read(version).ok()).isTrue();
          assertThat(open.get()).isBetween(1, LIMIT);
        }
      }
      assertThat(disk.damages).isEmpty();
    }
    assertThat(open.get()).as("all of them are closed in the end").isZero();
  }
}
