package io.moonpool.master.drain;

/**
 * Wishes that an object's replica moves from one segment to another.
 *
 * @param tenant empty for the default one
 * @param source name or id of the segment that has the replica
 * @param target name or id of a memory segment
 */
public record MoveRequest(String tenant, String key, String source, String target) {}
