package io.moonpool.master.drain;

import java.util.ArrayList;
import java.util.List;

/**
 * Which lanes of a job may have units that can be started. A lane that said that it has none is not
 * asked again before it says that something changed. Belongs to the control loop.
 */
final class LaneRing {
  private static final class Lane {
    boolean ready = true;
    boolean asking;

    /** It changed while it was being asked. */
    boolean changed;
  }

  private final List<Lane> lanes = new ArrayList<>();
  private int next;

  /** Lanes that were just opened: any may have something. */
  LaneRing(int count) {
    for (int i = 0; i < count; i++) {
      lanes.add(new Lane());
    }
  }

  /** How many lanes can be asked now. */
  int ready() {
    int ready = 0;
    for (Lane lane : lanes) {
      ready += lane.ready && !lane.asking ? 1 : 0;
    }
    return ready;
  }

  /** The next lane in turn that can be asked, of which there must be one; it is being asked now. */
  int ask() {
    Lane lane;
    int index;
    do {
      index = next;
      next = (next + 1) % lanes.size();
      lane = lanes.get(index);
    } while (!lane.ready || lane.asking);
    lane.asking = true;
    lane.changed = false;
    return index;
  }

  /**
   * A lane has answered.
   *
   * @param more it has more that can be started
   */
  void answered(int index, boolean more) {
    Lane lane = lanes.get(index);
    lane.asking = false;
    lane.ready = more || lane.changed;
  }

  /** A lane may have something that it had not. */
  void changed(int index) {
    if (index < lanes.size()) {
      Lane lane = lanes.get(index);
      lane.ready = true;
      lane.changed = lane.asking;
    }
  }
}
