package io.moonpool.storage;

import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.FileLayer;
import io.moonpool.storage.file.ForwardingFile;
import io.moonpool.storage.file.ForwardingLayer;
import io.moonpool.storage.file.OpenFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds up reads of data files while its gate is shut. */
final class GatedLayer extends ForwardingLayer {
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private volatile CountDownLatch reader = new CountDownLatch(1);

  GatedLayer(FileLayer next) {
    super(next);
  }

  void shut() {
    reader = new CountDownLatch(1);
    gate = new CountDownLatch(1);
  }

  void open() {
    gate.countDown();
  }

  void awaitReader() throws InterruptedException {
    if (!reader.await(10, TimeUnit.SECONDS)) {
      throw new AssertionError("nobody reads");
    }
  }

  @Override
  public OpenFile open(Path file, boolean direct) throws FileException {
    OpenFile open = super.open(file, direct);
    return file.toString().endsWith(".data") ? new GatedFile(open) : open;
  }

  private final class GatedFile extends ForwardingFile {
    GatedFile(OpenFile file) {
      super(file);
    }

    @Override
    public long read(MemorySegment into, long position) throws FileException {
      reader.countDown();
      try {
        if (!gate.await(10, TimeUnit.SECONDS)) {
          throw new AssertionError("the gate was never opened");
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return super.read(into, position);
    }
  }
}
