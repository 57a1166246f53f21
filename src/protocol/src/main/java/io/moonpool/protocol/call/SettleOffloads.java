package io.moonpool.protocol.call;

import java.util.List;
import java.util.UUID;

/**
 * Tells how offloads ended. Per item: OK; OBJECT_NOT_FOUND or INVALID_VERSION when what was stored
 * is of an object that was removed or overwritten meanwhile: to be tombstoned.
 *
 * @param generation of the disk's mount
 */
public record SettleOffloads(
    UUID nodeId, long incarnation, long generation, List<SettledOffload> offloads) {}
