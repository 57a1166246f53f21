package io.moonpool.protocol.call;

import java.util.UUID;

/**
 * Asks for tasks for a node. Answered as soon as there is one, or with none when the time is over.
 * A task is handed out once.
 *
 * @param maxTasks at most that many, at least 1
 * @param waitMillis how long to wait for tasks
 */
public record TakeTasks(UUID nodeId, long incarnation, int maxTasks, long waitMillis) {}
