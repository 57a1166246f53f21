package io.moonpool.protocol.call;

import io.moonpool.model.KeyBatch;

/**
 * Removes a batch of objects.
 *
 * @param force also those under a lease
 */
public record RemoveObjects(String tenant, KeyBatch keys, boolean force) {}
