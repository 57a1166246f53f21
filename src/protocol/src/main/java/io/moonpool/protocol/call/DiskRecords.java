package io.moonpool.protocol.call;

import java.util.List;
import java.util.UUID;

/**
 * A node's message about records of its disk.
 *
 * @param generation of the disk's mount
 */
public record DiskRecords(
    UUID nodeId, long incarnation, long generation, List<DiskRecord> records) {}
