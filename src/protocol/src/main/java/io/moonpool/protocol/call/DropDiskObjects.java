package io.moonpool.protocol.call;

import java.util.List;
import java.util.UUID;

/**
 * Tells what a node is about to evict from its disk, and will not report again. Per item: OK, or an
 * error on which the node keeps it.
 *
 * @param generation of the disk's mount
 */
public record DropDiskObjects(
    UUID nodeId, long incarnation, long generation, List<DiskRecord> records) {}
