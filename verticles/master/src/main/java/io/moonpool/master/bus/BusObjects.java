package io.moonpool.master.bus;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.request.KeySelection;
import io.moonpool.master.request.Limits;
import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SoftPinAction;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.call.RemoveObjects;
import io.moonpool.protocol.call.RevokeObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.json.Fields;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/** The requests about objects. */
final class BusObjects {
  private final MasterOperations master;

  BusObjects(MasterOperations master) {
    this.master = master;
  }

  Future<JsonObject> putStart(Fields request) {
    BusItems items = BusItems.of(request);
    return master
        .putStart(start(request, items))
        .map(outcomes -> items.answer(outcomes, JsonForms::started));
  }

  Future<JsonObject> upsertStart(Fields request) {
    BusItems items = BusItems.of(request);
    return master
        .upsertStart(start(request, items))
        .map(outcomes -> items.answer(outcomes, JsonForms::started));
  }

  private static StartObjects start(Fields request, BusItems items) {
    UUID writer = request.uuid("writer");
    String tenant = request.text("tenant", "");
    long[] sizes =
        items.single()
            ? new long[] {request.number("size", 0, Long.MAX_VALUE)}
            : request.numbers("sizes", 0, Long.MAX_VALUE);
    ReplicateConfig config = config(request.object("config"));
    request.end();
    Limits.checkPerKey("sizes", sizes.length, items.size());
    return new StartObjects(writer, tenant, items.keys(), sizes, config);
  }

  private static ReplicateConfig config(Fields config) {
    int replicaNum = (int) config.number("replica_num", 1, 0, Integer.MAX_VALUE);
    SoftPinAction action = config.constant("soft_pin_action", SoftPinAction.PRESERVE);
    OptionalLong ttlMillis =
        config.has("soft_pin_ttl_ms")
            ? OptionalLong.of(config.number("soft_pin_ttl_ms", 0, Long.MAX_VALUE))
            : OptionalLong.empty();
    ReplicateConfig read =
        new ReplicateConfig(
            replicaNum,
            action,
            ttlMillis,
            config.truth("hard_pin", false),
            config.texts("preferred_segments"),
            config.truth("prefer_alloc_in_same_node", false),
            config.constant("data_type", ObjectDataType.UNKNOWN),
            config.text("host_id", ""),
            config.texts("group_ids"));
    config.end();
    return read;
  }

  Future<JsonObject> end(Fields request) {
    BusItems items = BusItems.of(request);
    UUID writer = request.uuid("writer");
    String tenant = request.text("tenant", "");
    long[] versions = versions(request, items);
    List<Checksum> checksums = checksums(request, items);
    request.end();
    return master
        .end(new EndObjects(writer, tenant, items.keys(), versions, checksums))
        .map(items::answer);
  }

  Future<JsonObject> revoke(Fields request) {
    BusItems items = BusItems.of(request);
    UUID writer = request.uuid("writer");
    String tenant = request.text("tenant", "");
    long[] versions = versions(request, items);
    request.end();
    return master
        .revoke(new RevokeObjects(writer, tenant, items.keys(), versions))
        .map(items::answer);
  }

  private static long[] versions(Fields request, BusItems items) {
    long[] versions =
        items.single()
            ? new long[] {request.identifier("version")}
            : request.identifiers("versions");
    Limits.checkPerKey("versions", versions.length, items.size());
    return versions;
  }

  private static List<Checksum> checksums(Fields request, BusItems items) {
    if (items.single()) {
      return List.of(checksum(request.object("checksum")));
    }
    if (!request.has("checksums")) {
      return Collections.nCopies(items.size(), Checksum.NONE);
    }
    List<Checksum> checksums = new ArrayList<>();
    for (Fields checksum : request.objects("checksums")) {
      checksums.add(checksum(checksum));
    }
    Limits.checkPerKey("checksums", checksums.size(), items.size());
    return checksums;
  }

  private static Checksum checksum(Fields fields) {
    ChecksumKind kind = fields.constant("kind", ChecksumKind.NONE);
    long value = kind == ChecksumKind.NONE ? 0 : hexadecimal(fields, fields.text("value"), 16);
    List<String> texts = fields.texts("blocks");
    int[] blocks = new int[texts.size()];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = (int) hexadecimal(fields, texts.get(i), 8);
    }
    fields.end();
    return new Checksum(kind, value, blocks);
  }

  private static long hexadecimal(Fields fields, String text, int digits) {
    try {
      if (text.length() <= digits) {
        return Long.parseUnsignedLong(text, 16);
      }
    } catch (NumberFormatException e) {
      // Refused below, like a text that is too long.
    }
    throw fields.invalid("value", "and those of blocks must be hexadecimal digits, not " + text);
  }

  Future<JsonObject> locate(Fields request) {
    BusItems items = BusItems.of(request);
    return master
        .locate(named(request, items))
        .map(outcomes -> items.answer(outcomes, JsonForms::located));
  }

  Future<JsonObject> exists(Fields request) {
    BusItems items = BusItems.of(request);
    return master
        .exists(named(request, items))
        .map(outcomes -> items.answer(outcomes, exists -> new JsonObject().put("exists", exists)));
  }

  Future<JsonObject> describe(Fields request) {
    BusItems items = BusItems.of(request);
    return master
        .describe(named(request, items))
        .map(outcomes -> items.answer(outcomes, JsonForms::object));
  }

  private static NamedObjects named(Fields request, BusItems items) {
    String tenant = request.text("tenant", "");
    request.end();
    return new NamedObjects(tenant, items.keys());
  }

  Future<JsonObject> remove(Fields request) {
    BusItems items = BusItems.of(request);
    String tenant = request.text("tenant", "");
    boolean force = request.truth("force", false);
    request.end();
    return master.remove(new RemoveObjects(tenant, items.keys(), force)).map(items::answer);
  }

  Future<JsonObject> removeMatching(Fields request) {
    String tenant = request.text("tenant", "");
    String selection =
        KeySelection.toRemove(
            request.text("pattern", ""), request.text("prefix", ""), request.truth("all", false));
    boolean force = request.truth("force", false);
    request.end();
    return master
        .removeMatching(new RemoveMatching(tenant, selection, force))
        .map(removed -> new JsonObject().put("removed", removed));
  }

  Future<JsonObject> list(Fields request) {
    String tenant = request.text("tenant", "");
    String selection = KeySelection.toList(request.text("pattern", ""), request.text("prefix", ""));
    long cursor = request.identifier("cursor", 0);
    int limit =
        (int) request.number("limit", Limits.DEFAULT_PAGE_OBJECTS, 1, Limits.MAX_PAGE_OBJECTS);
    request.end();
    return master
        .list(new ListObjects(tenant, selection, cursor, limit))
        .map(
            page ->
                new JsonObject()
                    .put("objects", JsonForms.array(page.objects(), JsonForms::object))
                    .put("next_cursor", Long.toString(page.nextCursor())));
  }
}
