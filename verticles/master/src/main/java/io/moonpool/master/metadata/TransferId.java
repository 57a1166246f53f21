package io.moonpool.master.metadata;

import io.moonpool.model.TaskType;
import java.util.UUID;

/**
 * Names a transfer that was started.
 *
 * @param tenant empty for the default one
 * @param key its bytes. Not copied: do not write to it.
 * @param version the object's when the transfer was started
 */
public record TransferId(TaskType type, String tenant, byte[] key, long version, UUID taskId) {}
