package io.moonpool.core.liveness;

import io.moonpool.model.ClientState;
import java.util.UUID;

/**
 * A client went from one state to another.
 *
 * @param nodeId the node
 * @param incarnation which of its lives
 * @param silentMillis observed time since its last signal
 */
public record LivenessTransition(
    UUID nodeId, long incarnation, ClientState from, ClientState to, long silentMillis) {}
