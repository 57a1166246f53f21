package io.moonpool.protocol.call;

/** The caller has fetched a batch, or will not. */
public record ReleaseStaged(long batchId) {}
