package io.moonpool.master.monitor;

import io.moonpool.core.liveness.OfflineBreaker;
import java.util.List;
import java.util.UUID;

/**
 * Whether nodes are kept from going OFFLINE.
 *
 * @param enabled whether that can be at all, by configuration
 * @param holding whether it is so now
 * @param reason why, or why it was so last; of no meaning when it never was
 * @param held the nodes that would have gone OFFLINE by now
 * @param trips how often it began
 */
public record BreakerState(
    boolean enabled, boolean holding, OfflineBreaker.Reason reason, List<UUID> held, long trips) {}
