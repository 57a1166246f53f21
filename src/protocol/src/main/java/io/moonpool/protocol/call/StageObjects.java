package io.moonpool.protocol.call;

import io.moonpool.model.KeyBatch;

/**
 * Asks a node to read objects from its disk into memory from which the caller can fetch them.
 *
 * @param tenant empty for the default one
 * @param versions one per key
 * @param offset where in each value to start, in bytes
 * @param length how many bytes of each; -1 for all that follow
 */
public record StageObjects(
    String tenant, KeyBatch keys, long[] versions, long offset, long length) {}
