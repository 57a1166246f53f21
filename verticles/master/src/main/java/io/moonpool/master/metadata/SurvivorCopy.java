package io.moonpool.master.metadata;

import io.moonpool.core.floor.FloorMap;
import io.moonpool.master.journal.Floors;
import java.util.function.BooleanSupplier;

/**
 * What a removal by pattern has passed over, copied for the journal in steps: that may be every
 * object that there is.
 */
final class SurvivorCopy {
  private final FloorMap from;
  private final Floors to;
  private int part;

  /** Nothing is copied yet; the map must not change until all is. */
  SurvivorCopy(FloorMap from) {
    this.from = from;
    this.to = new Floors(Math.toIntExact(from.size()));
  }

  /**
   * A step.
   *
   * @param mayContinue asked before each part
   * @return true when all is copied
   */
  boolean step(BooleanSupplier mayContinue) {
    for (; part < FloorMap.PARTS; part++) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      from.forEachOf(part, to::add);
    }
    return true;
  }

  /** The copy, once {@link #step} has answered true. */
  Floors copied() {
    return to;
  }
}
