package io.moonpool.protocol.call;

import io.moonpool.model.ReplicaType;

/**
 * The replica that a {@link ReplicaTask} reads.
 *
 * @param type {@link ReplicaType#MEMORY} or {@link ReplicaType#LOCAL_DISK}
 * @param generation of the segment's mount
 * @param offset bytes from the start of the memory segment; 0 on disk
 */
public record ReplicaSource(ReplicaType type, long generation, long offset) {}
