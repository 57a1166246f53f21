package io.moonpool.node.disk;

import java.util.UUID;

/**
 * The disk as the master has mounted it.
 *
 * @param nodeId of this node
 * @param incarnation of its registration
 * @param generation of the disk's mount
 */
public record DiskMount(UUID nodeId, long incarnation, long generation) {}
