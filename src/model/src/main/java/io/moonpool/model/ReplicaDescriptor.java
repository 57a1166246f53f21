package io.moonpool.model;

/**
 * Where one replica of an object is.
 *
 * @param id unique within a master's life
 * @param type where its bytes live
 * @param status its life
 * @param generation the mount generation of its segment; resolves to a {@link SegmentInfo}
 * @param offset bytes from the start of the segment (memory replicas), else 0
 * @param size bytes
 */
public record ReplicaDescriptor(
    long id, ReplicaType type, ReplicaStatus status, long generation, long offset, long size) {}
