package io.moonpool.storage.bucket;

import io.moonpool.storage.ObjectRecord;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.FileLayer;
import io.moonpool.storage.file.WholeFile;
import java.util.List;

/** Writes index files. */
public final class BucketIndex {
  private BucketIndex() {}

  /** What an object takes in an index, in bytes. */
  public static long bytesOf(ObjectRecord object) {
    return IndexFormat.bytesOf(object);
  }

  /**
   * Writes the index of a bucket whose data is durable. When this returned, the bucket is there
   * whatever happens; when it failed, it may or may not be.
   *
   * @return the bytes of the index
   */
  public static long write(
      FileLayer layer, BucketFiles names, long bucketId, long dataBytes, List<IndexEntry> entries)
      throws FileException {
    byte[] bytes = IndexFormat.encode(bucketId, dataBytes, entries);
    WholeFile.replace(layer, names.index(bucketId), bytes);
    return bytes.length;
  }
}
