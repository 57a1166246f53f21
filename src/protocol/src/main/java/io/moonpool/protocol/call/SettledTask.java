package io.moonpool.protocol.call;

import java.util.UUID;

/**
 * How a {@link ReplicaTask} ended.
 *
 * @param code the number of an error; 0 when all targets have all bytes
 * @param message for people; empty when there is nothing to add
 */
public record SettledTask(UUID taskId, int code, String message) {}
