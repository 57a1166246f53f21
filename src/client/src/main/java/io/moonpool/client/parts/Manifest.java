package io.moonpool.client.parts;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The list of a value's parts, stored as JSON:
 *
 * <pre>{@code
 * {"magic": "moonpool-parts", "version": 1, "size": 150000000, "part_size": 67108864,
 *  "upload": "5f0c...", "checksums": ["00c0ffee", ...]}
 * }</pre>
 *
 * @param size bytes of the whole value
 * @param partSize bytes of every part but the last
 * @param upload part of the parts' keys
 * @param checksums of the parts, in order, as the pool stores them ({@link
 *     io.moonpool.model.Checksum#value()}): a part that is not the one that was written is noticed
 */
record Manifest(long size, long partSize, String upload, List<Long> checksums) {
  private static final String MAGIC = "moonpool-parts";
  private static final int VERSION = 1;

  Manifest {
    checksums = List.copyOf(checksums);
    if (size < 1
        || partSize < 1
        || upload.isEmpty()
        || checksums.size() != Math.ceilDiv(size, partSize)) {
      throw new IllegalArgumentException("sizes and parts do not fit");
    }
  }

  /** The key of a part. */
  static String partKey(String key, String upload, int number) {
    return String.format("%s.part-%s-%05d", key, upload, number);
  }

  /** How many parts there are. */
  int parts() {
    return checksums.size();
  }

  /** The bytes of a part. */
  long partSize(int number) {
    return Math.min(partSize, size - number * partSize);
  }

  /** The keys of the parts of that value. */
  List<String> partKeys(String key) {
    List<String> keys = new ArrayList<>(parts());
    for (int i = 0; i < parts(); i++) {
      keys.add(partKey(key, upload, i));
    }
    return keys;
  }

  Buffer encode() {
    JsonArray sums = new JsonArray();
    checksums.forEach(sum -> sums.add(HexFormat.of().toHexDigits(sum, 8)));
    return new JsonObject()
        .put("magic", MAGIC)
        .put("version", VERSION)
        .put("size", size)
        .put("part_size", partSize)
        .put("upload", upload)
        .put("checksums", sums)
        .toBuffer();
  }

  /**
   * Reads a manifest.
   *
   * @throws StoreException when it is damaged or of a newer version
   */
  static Manifest decode(Buffer json) {
    try {
      JsonObject object = json.toJsonObject();
      if (!MAGIC.equals(object.getString("magic")) || object.getInteger("version", 0) != VERSION) {
        throw new StoreException(
            ErrorCode.NOT_SUPPORTED,
            "the value's list of parts is of another version: upgrade this client");
      }
      List<Long> sums = new ArrayList<>();
      for (Object sum : object.getJsonArray("checksums", new JsonArray())) {
        sums.add(HexFormat.fromHexDigitsToLong((String) sum));
      }
      return new Manifest(
          object.getLong("size", 0L),
          object.getLong("part_size", 0L),
          object.getString("upload", ""),
          sums);
    } catch (DecodeException | ClassCastException | IllegalArgumentException e) {
      throw new StoreException(
          ErrorCode.DESERIALIZE_FAIL, "the value's list of parts is damaged: put the value anew");
    }
  }
}
