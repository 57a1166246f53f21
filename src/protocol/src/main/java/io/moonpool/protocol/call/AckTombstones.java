package io.moonpool.protocol.call;

import java.util.List;
import java.util.UUID;

/**
 * Tells which dead records a disk will never report again, also after a power cut.
 *
 * @param generation of the disk's mount
 * @param records as they were told, in the order told
 */
public record AckTombstones(
    UUID nodeId, long incarnation, long generation, List<DiskRecord> records) {}
