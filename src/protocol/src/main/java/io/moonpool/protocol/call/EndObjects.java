package io.moonpool.protocol.call;

import io.moonpool.model.Checksum;
import io.moonpool.model.KeyBatch;
import java.util.List;
import java.util.UUID;

/**
 * Makes written objects visible.
 *
 * @param versions from {@link StartedObject}, one per key
 * @param checksums one per key
 */
public record EndObjects(
    UUID writer, String tenant, KeyBatch keys, long[] versions, List<Checksum> checksums) {}
