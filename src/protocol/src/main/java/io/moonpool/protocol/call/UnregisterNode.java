package io.moonpool.protocol.call;

import java.util.UUID;

/**
 * A node leaves: its process is about to end. What it still lends is unmounted, and its id is free
 * for the next process at once. Repeating it, and leaving as an incarnation that is gone, is a
 * success.
 */
public record UnregisterNode(UUID nodeId, long incarnation) {}
