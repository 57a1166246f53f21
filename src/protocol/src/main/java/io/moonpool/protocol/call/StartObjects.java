package io.moonpool.protocol.call;

import io.moonpool.model.KeyBatch;
import io.moonpool.model.ReplicateConfig;
import java.util.UUID;

/**
 * Starts to put or upsert a batch of objects (which one, the call says).
 *
 * @param writer random per client process; only it may end or revoke the write
 * @param tenant empty for the default one
 * @param sizes bytes, one per key
 */
public record StartObjects(
    UUID writer, String tenant, KeyBatch keys, long[] sizes, ReplicateConfig config) {}
