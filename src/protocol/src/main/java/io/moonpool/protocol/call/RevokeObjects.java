package io.moonpool.protocol.call;

import io.moonpool.model.KeyBatch;
import java.util.UUID;

/**
 * Gives up writes; an upsert keeps the old value.
 *
 * @param versions from {@link StartedObject}, one per key
 */
public record RevokeObjects(UUID writer, String tenant, KeyBatch keys, long[] versions) {}
