package io.moonpool.master.segment;

import io.moonpool.core.segment.SegmentChange;
import io.moonpool.core.segment.SegmentRegistry;
import io.moonpool.model.SegmentInfo;
import io.moonpool.protocol.bus.Addresses;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.json.JsonObject;

/** Publishes what happens to segments on the event bus, fire and forget. On the control loop. */
public final class SegmentEvents {
  private final EventBus bus;

  /** Events on that bus. */
  public SegmentEvents(EventBus bus) {
    this.bus = bus;
  }

  void publish(SegmentChange change, SegmentRegistry registry) {
    registry
        .find(change.generation())
        .ifPresent(
            segment ->
                bus.publish(
                    Addresses.SEGMENT_EVENTS,
                    switch (change) {
                      case SegmentChange.Mounted ignored -> body("mounted", segment);
                      case SegmentChange.StatusChanged ignored -> body("status", segment);
                      case SegmentChange.ServingChanged ignored -> body("owner", segment);
                      case SegmentChange.OffloadChanged ignored -> body("offload", segment);
                      case SegmentChange.Unmounted ignored -> body("unmounted", segment);
                    }));
  }

  void unmounted(SegmentInfo segment) {
    bus.publish(Addresses.SEGMENT_EVENTS, body("unmounted", segment));
  }

  private static JsonObject body(String event, SegmentInfo segment) {
    return new JsonObject().put("event", event).put("segment", JsonForms.segment(segment));
  }
}
