package io.moonpool.master.loop;

/**
 * Which loops there are: heartbeat, control, the metadata loops, the service loops, in this order.
 *
 * @param threads what the names of all of them begin with
 */
record LoopPlan(String threads, int metadataLoops, int serviceLoops) {
  private static final int FIRST_METADATA = 2;

  int size() {
    return FIRST_METADATA + metadataLoops + serviceLoops;
  }

  LoopRole role(int index) {
    if (index == 0) {
      return LoopRole.HEARTBEAT;
    }
    if (index == 1) {
      return LoopRole.CONTROL;
    }
    return index < FIRST_METADATA + metadataLoops ? LoopRole.METADATA : LoopRole.SERVICE;
  }

  String name(int index) {
    return switch (role(index)) {
      case HEARTBEAT -> threads + "-heartbeat";
      case CONTROL -> threads + "-control";
      case METADATA -> threads + "-metadata-" + (index - FIRST_METADATA);
      case SERVICE -> threads + "-service-" + (index - FIRST_METADATA - metadataLoops);
    };
  }
}
