package io.moonpool.core.index;

import io.moonpool.model.Checksum;
import io.moonpool.model.ObjectDataType;
import org.jspecify.annotations.Nullable;

/**
 * An object as a node's disk holds it, but for its key.
 *
 * @param version of the write that it is
 * @param size bytes
 * @param softPinMillis how long its soft pin still is, in milliseconds; 0 for none
 * @param group null or empty for none
 */
public record StoredObject(
    long version,
    long size,
    Checksum checksum,
    ObjectDataType dataType,
    boolean hardPinned,
    long softPinMillis,
    @Nullable String group) {}
