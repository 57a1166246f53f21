package io.moonpool.master.drain;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.TaskStatus;
import io.moonpool.model.TaskType;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task as people see it.
 *
 * @param job the drain job that made it; null when somebody did
 * @param tenant empty for the default one
 * @param source id of the segment that the object is copied or moved from; null while any will do
 * @param targets ids of the segments that get a replica
 * @param bytes of the object; 0 while that is not known
 * @param node that carries it out; null while that is not known
 * @param createdAtMillis by the wall clock
 * @param updatedAtMillis when its status changed last, by the wall clock
 * @param code what it failed with, OK otherwise
 * @param message what people are told; empty when there is nothing to tell
 */
public record TaskInfo(
    UUID id,
    TaskType type,
    TaskStatus status,
    @Nullable UUID job,
    String tenant,
    String key,
    @Nullable UUID source,
    List<UUID> targets,
    long bytes,
    @Nullable UUID node,
    long createdAtMillis,
    long updatedAtMillis,
    ErrorCode code,
    String message) {}
