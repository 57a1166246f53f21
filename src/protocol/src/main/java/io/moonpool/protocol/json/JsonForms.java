package io.moonpool.protocol.json;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.StartedObject;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Model and answers as JSON. */
public final class JsonForms {
  private JsonForms() {}

  /** An error: its name, its number and a sentence for people. */
  public static JsonObject error(ErrorCode code, String message) {
    return new JsonObject()
        .put("error", code.name())
        .put("code", code.number())
        .put("message", message);
  }

  /** An object as an administrator sees it. */
  public static JsonObject object(ObjectInfo object) {
    return new JsonObject()
        .put("tenant", object.tenant())
        .put("key", object.key())
        .put("size", object.size())
        .put("version", Long.toString(object.version()))
        .put("checksum", checksum(object.checksum()))
        .put("lease_remaining_ms", object.leaseRemainingMillis())
        .put("soft_pin_remaining_ms", object.softPinRemainingMillis())
        .put("hard_pinned", object.hardPinned())
        .put("data_type", name(object.dataType()))
        .put("group", object.group())
        .put("replicas", array(object.replicas(), JsonForms::replica));
  }

  /** A write that may go on. */
  public static JsonObject started(StartedObject started) {
    return new JsonObject()
        .put("version", Long.toString(started.version()))
        .put("replicas", array(started.replicas(), JsonForms::replica));
  }

  /** Where a reader finds an object. */
  public static JsonObject located(LocatedObject located) {
    return new JsonObject()
        .put("version", Long.toString(located.version()))
        .put("size", located.size())
        .put("lease_ms", located.leaseMillis())
        .put("checksum", checksum(located.checksum()))
        .put("replicas", array(located.replicas(), JsonForms::replica));
  }

  /** A replica. */
  public static JsonObject replica(ReplicaDescriptor replica) {
    return new JsonObject()
        .put("id", Long.toString(replica.id()))
        .put("type", name(replica.type()))
        .put("status", name(replica.status()))
        .put("generation", Long.toString(replica.generation()))
        .put("offset", replica.offset())
        .put("size", replica.size());
  }

  /** A checksum; its values are hexadecimal text, 8 digits for 32 bits and 16 for 64. */
  public static JsonObject checksum(Checksum checksum) {
    JsonObject json = new JsonObject().put("kind", name(checksum.kind()));
    if (checksum.kind() != ChecksumKind.NONE) {
      json.put(
          "value",
          checksum.kind() == ChecksumKind.OPAQUE
              ? String.format("%016x", checksum.value())
              : String.format("%08x", (int) checksum.value()));
    }
    if (checksum.blocks().length > 0) {
      JsonArray blocks = new JsonArray();
      for (int block : checksum.blocks()) {
        blocks.add(String.format("%08x", block));
      }
      json.put("blocks", blocks);
    }
    return json;
  }

  /** A segment. */
  public static JsonObject segment(SegmentInfo segment) {
    return new JsonObject()
        .put("id", segment.spec().id().toString())
        .put("name", segment.spec().name())
        .put("kind", name(segment.spec().kind()))
        .put("generation", Long.toString(segment.generation()))
        .put("node_id", segment.nodeId().toString())
        .put("host_id", segment.spec().hostId())
        .put("status", name(segment.status()))
        .put("owner_state", name(segment.ownerState()))
        .put("size", segment.spec().size())
        .put("used", segment.usedBytes())
        .put("endpoints", array(segment.spec().endpoints(), JsonForms::endpoint));
  }

  private static JsonObject endpoint(SegmentEndpoint endpoint) {
    return new JsonObject()
        .put("transport", endpoint.transport())
        .put("descriptor", endpoint.descriptor());
  }

  /** A client: a node that is registered with the master. */
  public static JsonObject client(ClientInfo client) {
    return new JsonObject()
        .put("node_id", client.nodeId().toString())
        .put("incarnation", Long.toString(client.incarnation()))
        .put("host_id", client.hostId())
        .put("address", client.address())
        .put("state", name(client.state()))
        .put("silent_ms", client.silentMillis())
        .put("segments", client.segments());
  }

  /** The form of each item, in order. */
  public static <T> JsonArray array(List<T> items, Function<T, JsonObject> form) {
    JsonArray array = new JsonArray();
    for (T item : items) {
      array.add(form.apply(item));
    }
    return array;
  }

  /** The name of a constant: lower case, words joined by underscores. */
  public static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** The constant of that {@link #name}, if there is one. */
  public static <E extends Enum<E>> Optional<E> constant(String name, Class<E> of) {
    return Arrays.stream(of.getEnumConstants())
        .filter(constant -> name(constant).equals(name))
        .findFirst();
  }

  /** The names of all constants, in order, for people who chose another one. */
  public static String names(Class<? extends Enum<?>> of) {
    return Arrays.stream(of.getEnumConstants())
        .map(JsonForms::name)
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
