package io.moonpool.protocol.call;

import io.moonpool.model.KeyBatch;

/**
 * A batch of keys of one tenant: for locating, testing existence, and describing.
 *
 * @param tenant empty for the default one
 */
public record NamedObjects(String tenant, KeyBatch keys) {}
