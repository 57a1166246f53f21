package io.moonpool.master.loop;

/**
 * Which loops there are: heartbeat, control, the metadata loops, the service loops, in this order.
 */
record LoopPlan(int metadataLoops, int serviceLoops) {
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
      case HEARTBEAT -> "moonpool-heartbeat";
      case CONTROL -> "moonpool-control";
      case METADATA -> "moonpool-metadata-" + (index - FIRST_METADATA);
      case SERVICE -> "moonpool-service-" + (index - FIRST_METADATA - metadataLoops);
    };
  }
}
