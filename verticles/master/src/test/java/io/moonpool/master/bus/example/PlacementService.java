package io.moonpool.master.bus.example;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Another service: it knows on which segments objects are, and hears which segments go away. */
public class PlacementService extends VerticleBase {
  private static final int OBJECT_NOT_FOUND = -704;

  private final List<String> lostSegments = new ArrayList<>();

  @Override
  public Future<?> start() {
    return vertx
        .eventBus()
        .<JsonObject>consumer("moonpool.v1.segment.events", this::segmentChanged)
        .completion();
  }

  private void segmentChanged(Message<JsonObject> message) {
    JsonObject event = message.body();
    if (event.getString("event").equals("unmounted")) {
      lostSegments.add(event.getJsonObject("segment").getString("name"));
    }
  }

  /** Names of the segments that went away since this service started. */
  public List<String> lostSegments() {
    return List.copyOf(lostSegments);
  }

  /** Names of the segments that hold an object; none when there is no such object. */
  public Future<List<String>> segmentsOf(String key) {
    return request("moonpool.v1.objects.locate", new JsonObject().put("key", key))
        .compose(this::describeSegments)
        .recover(
            failure ->
                failure instanceof ReplyException refused
                        && refused.failureType() == ReplyFailure.RECIPIENT_FAILURE
                        && refused.failureCode() == OBJECT_NOT_FOUND
                    ? Future.succeededFuture(List.of())
                    : Future.failedFuture(failure));
  }

  private Future<List<String>> describeSegments(JsonObject located) {
    List<String> generations =
        located.getJsonArray("replicas").stream()
            .map(replica -> ((JsonObject) replica).getString("generation"))
            .toList();
    return request("moonpool.v1.segments.list", new JsonObject().put("generations", generations))
        .map(
            answer ->
                answer.getJsonArray("segments").stream()
                    .map(segment -> ((JsonObject) segment).getString("name"))
                    .toList());
  }

  private Future<JsonObject> request(String address, JsonObject body) {
    return vertx.eventBus().<JsonObject>request(address, body).map(Message::body);
  }
}
