package io.moonpool.master.rig;

import io.moonpool.master.MasterRestore;

/**
 * How a master of a load test differs from others.
 *
 * @param restore what is in its index from the start
 * @param ablation which protection it lacks
 */
public record MasterRig(MasterRestore restore, Ablation ablation) {
  /** Not at all. */
  public static final MasterRig NONE = new MasterRig(MasterRestore.NOTHING, Ablation.NONE);
}
