package io.moonpool.storage.bucket;

import java.nio.file.Path;
import java.util.HexFormat;
import java.util.OptionalLong;

/**
 * The names of bucket files: the bucket's id as sixteen hexadecimal digits, and what it is.
 *
 * @param directory where they are
 */
public record BucketFiles(Path directory) {
  /** Of a data file. */
  public static final String DATA = ".data";

  /** Of an index. */
  public static final String INDEX = ".index";

  /** Of an index whose bucket is to be deleted, whatever happens. */
  public static final String EVICTING = ".evicting";

  /** Of a file that is still being written. */
  public static final String ASIDE = ".tmp";

  /** The data file of a bucket. */
  public Path data(long bucketId) {
    return directory.resolve(hex(bucketId) + DATA);
  }

  /** The index file of a bucket. */
  public Path index(long bucketId) {
    return directory.resolve(hex(bucketId) + INDEX);
  }

  /** The index file of a bucket that is being evicted. */
  public Path evicting(long bucketId) {
    return directory.resolve(hex(bucketId) + EVICTING);
  }

  /** The id as files show it. */
  public static String hex(long bucketId) {
    return HexFormat.of().toHexDigits(bucketId);
  }

  /** The id in a file name with that ending; empty when it is not one. */
  public static OptionalLong id(String name, String ending) {
    if (name.length() != 16 + ending.length() || !name.endsWith(ending)) {
      return OptionalLong.empty();
    }
    try {
      long id = HexFormat.fromHexDigitsToLong(name, 0, 16);
      return hex(id).equals(name.substring(0, 16)) ? OptionalLong.of(id) : OptionalLong.empty();
    } catch (IllegalArgumentException e) {
      return OptionalLong.empty();
    }
  }
}
