package io.moonpool.storage;

import io.moonpool.model.ErrorCode;

/**
 * An object that is on the disk and cannot be read as it was written.
 *
 * @param version of the object
 * @param bucketId where it is
 * @param code what is wrong
 * @param detail the file, the position and the error
 */
public record Damage(long version, long bucketId, ErrorCode code, String detail) {}
