package io.moonpool.storage;

import io.moonpool.libc.Errno;
import io.moonpool.storage.bucket.BucketFiles;
import io.moonpool.storage.directory.DiskDirectory;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.FileLayer;
import io.moonpool.storage.file.FileOperation;
import io.moonpool.storage.file.OpenFile;
import io.moonpool.storage.file.WholeFile;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Tries whether a disk takes writes, and whether it still is the same one. */
final class DiskProbe {
  private DiskProbe() {}

  /**
   * Writes, syncs and deletes a small file.
   *
   * @param block what to write
   * @throws FileException when any of it fails, or another disk is in the place of this one
   */
  static void run(DiskDirectory directory, MemorySegment block) throws FileException {
    FileLayer layer = directory.layer();
    requireSame(directory);
    Path file = directory.buckets().resolve("probe" + BucketFiles.ASIDE);
    WholeFile.deleteIfThere(layer, file);
    try (OpenFile open = layer.create(file, false)) {
      open.write(block, 0);
      open.sync();
    }
    layer.delete(file);
    layer.syncDirectory(directory.buckets());
  }

  /**
   * Looks whether the directory still is that of this disk.
   *
   * @throws FileException when it is not there, or another disk is in its place
   */
  static void requireSame(DiskDirectory directory) throws FileException {
    Path id = directory.idFile();
    String text =
        new String(WholeFile.read(directory.layer(), id), StandardCharsets.US_ASCII).strip();
    if (!text.equals(directory.id().toString())) {
      throw new FileException(
          FileOperation.READ, id, Errno.EIO, "another disk was put in the place of this one");
    }
  }
}
