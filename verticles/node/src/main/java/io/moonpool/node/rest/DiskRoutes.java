package io.moonpool.node.rest;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.node.disk.DiskCollection;
import io.moonpool.node.disk.DiskStatus;
import io.moonpool.node.disk.LocalDisk;
import io.moonpool.protocol.json.JsonForms;
import io.moonpool.storage.StoreStats;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;

/**
 * {@code GET /v1/disk} tells what the node's disk holds; {@code POST /v1/disk/gc} starts to give
 * back the space of dead objects. The disk's own workers do it.
 */
final class DiskRoutes {
  /** What paths of the disk start with. */
  static final String PREFIX = "/v1/disk";

  private static final String COLLECT = PREFIX + "/gc";
  private static final double DEFAULT_DEAD_RATIO = 0.5;

  private final LocalDisk disk;

  DiskRoutes(LocalDisk disk) {
    this.disk = disk;
  }

  /** True when a path is the disk's. */
  static boolean owns(String path) {
    return path.equals(PREFIX) || path.equals(COLLECT);
  }

  /** Answers a request; a failed future means that nothing has been answered. */
  Future<Void> handle(HttpServerRequest request, String path) {
    HttpMethod method = request.method();
    if (path.equals(COLLECT)) {
      return method.equals(HttpMethod.POST)
          ? disk.collect(deadRatio(request))
              .compose(begun -> RestHandler.json(request, 202, json(begun)))
          : refused(request, "POST");
    }
    return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)
        ? disk.status().compose(status -> RestHandler.json(request, 200, json(status)))
        : refused(request, "GET, HEAD");
  }

  private static Future<Void> refused(HttpServerRequest request, String allowed) {
    request.response().putHeader("Allow", allowed);
    return Future.failedFuture(
        new RefusedRequest(
            405,
            ErrorCode.NOT_SUPPORTED,
            request.method() + " is not possible there: use " + allowed));
  }

  private static double deadRatio(HttpServerRequest request) {
    String text = request.getParam("dead_ratio");
    try {
      return text == null ? DEFAULT_DEAD_RATIO : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          "dead_ratio must be a number above 0 and at most 1, not '" + text + "'");
    }
  }

  private static JsonObject json(DiskStatus status) {
    StoreStats store = status.store();
    JsonObject json =
        new JsonObject()
            .put("segment_id", status.id().toString())
            .put("name", status.name())
            .put("directory", status.directory())
            .put("writable", status.writeState().writable());
    if (!status.writeState().writable()) {
      json.put("reason", status.writeState().reason());
    }
    json.put("objects", store.objects())
        .put("buckets", store.buckets())
        .put("live_bytes", store.liveBytes())
        .put("used_bytes", store.usedBytes())
        .put("quota_bytes", store.quotaBytes())
        .put("available_bytes", store.availableBytes())
        .put("tombstones", store.tombstones())
        .put("damaged_buckets", store.recovered().damaged().size())
        .put("damaged_bytes", store.recovered().damagedBytes())
        .put("damages_found", store.damagedObjects());
    DiskCollection collection = status.collection();
    if (collection != null) {
      json.put("collection", json(collection));
    }
    return json;
  }

  private static JsonObject json(DiskCollection collection) {
    JsonObject json =
        new JsonObject()
            .put("running", collection.running())
            .put("dead_ratio", collection.deadRatio())
            .put("emptied_buckets", collection.emptied())
            .put("rewritten_buckets", collection.rewritten())
            .put("copied_objects", collection.copiedObjects())
            .put("copied_bytes", collection.copiedBytes())
            .put("freed_bytes", collection.freedBytes());
    return collection.code() == ErrorCode.OK
        ? json
        : json.mergeIn(JsonForms.error(collection.code(), collection.detail()));
  }
}
