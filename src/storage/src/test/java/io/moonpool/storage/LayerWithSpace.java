package io.moonpool.storage;

import io.moonpool.libc.FileSystemSpace;
import io.moonpool.storage.file.FileLayer;
import io.moonpool.storage.file.ForwardingLayer;
import java.nio.file.Path;
import java.util.function.Supplier;

/** A file system of any size. */
final class LayerWithSpace extends ForwardingLayer {
  private final Supplier<FileSystemSpace> space;

  LayerWithSpace(FileLayer next, Supplier<FileSystemSpace> space) {
    super(next);
    this.space = space;
  }

  @Override
  public FileSystemSpace space(Path directory) {
    return space.get();
  }
}
