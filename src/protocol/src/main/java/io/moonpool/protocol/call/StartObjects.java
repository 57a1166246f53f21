package io.moonpool.protocol.call;

import io.moonpool.model.KeyBatch;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.ReplicateConfig;
import java.util.UUID;

/**
 * Starts to put or upsert a batch of objects (which one, the call says).
 *
 * @param writer random per client process; only it may end or revoke the write
 * @param tenant empty for the default one
 * @param sizes bytes, one per key
 * @param avoided generations of at most {@value #MAX_AVOIDED} segments that the writer could not
 *     reach: these objects get no space on any segment of their nodes. {@link
 *     MooncakeEndpoint#ALL_LENT} stands for the memory of all clients of Mooncake
 */
public record StartObjects(
    UUID writer,
    String tenant,
    KeyBatch keys,
    long[] sizes,
    ReplicateConfig config,
    long[] avoided) {
  /** How many segments may be avoided. */
  public static final int MAX_AVOIDED = 8;

  /** Avoids nothing. */
  public StartObjects(
      UUID writer, String tenant, KeyBatch keys, long[] sizes, ReplicateConfig config) {
    this(writer, tenant, keys, sizes, config, new long[0]);
  }
}
