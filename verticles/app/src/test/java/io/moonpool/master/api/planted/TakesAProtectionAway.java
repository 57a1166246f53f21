package io.moonpool.master.api.planted;

import io.moonpool.master.MasterRestore;
import io.moonpool.master.rig.Ablation;
import io.moonpool.master.rig.MasterRig;

/** A violation: a master that lacks a protection, outside of load tests. */
public final class TakesAProtectionAway {
  MasterRig rig() {
    return new MasterRig(MasterRestore.NOTHING, Ablation.SHARED_LOOP);
  }
}
