package io.moonpool.storage;

/**
 * What a collection came to.
 *
 * @param emptied buckets without a live object that were deleted
 * @param rewritten buckets whose live objects were copied, and which then were deleted
 * @param copiedObjects objects that were copied
 * @param copiedBytes bytes of their values
 * @param freedBytes what the deleted files took, less what the copies take
 * @param complete false when the limit on copied bytes ended it: there is more to do
 * @param result the failure that ended it, or OK
 */
public record GcReport(
    int emptied,
    int rewritten,
    long copiedObjects,
    long copiedBytes,
    long freedBytes,
    boolean complete,
    StoreResult result) {}
