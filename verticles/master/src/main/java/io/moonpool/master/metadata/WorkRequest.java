package io.moonpool.master.metadata;

import io.moonpool.model.ReplicateConfig;

/**
 * What a node can do when it asks for work for its disk.
 *
 * @param maxTasks at most about so many offloads, and as many dead records
 * @param maxPromotions at most about so many promotions
 * @param place where memory for promotions is looked for first: on that node
 */
public record WorkRequest(int maxTasks, int maxPromotions, ReplicateConfig place) {
  /** What one of several loops is asked for. */
  WorkRequest share(int loops) {
    return new WorkRequest(
        Math.max(1, maxTasks / loops),
        maxPromotions == 0 ? 0 : Math.max(1, maxPromotions / loops),
        place);
  }
}
