package io.moonpool.node.disk;

import io.moonpool.storage.StoreStats;
import io.moonpool.storage.WriteState;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A node's disk at a moment.
 *
 * @param id of the disk, and of its segment
 * @param name of its segment
 * @param directory where it is
 * @param writeState whether it takes new objects
 * @param store its figures
 * @param collection the one that is under way, or the last one since the node was started; null
 *     when there was none
 */
public record DiskStatus(
    UUID id,
    String name,
    String directory,
    WriteState writeState,
    StoreStats store,
    @Nullable DiskCollection collection) {}
