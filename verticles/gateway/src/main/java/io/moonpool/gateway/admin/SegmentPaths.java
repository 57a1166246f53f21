package io.moonpool.gateway.admin;

import io.moonpool.gateway.segment.SegmentAddresses;
import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.Route;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.DescribeSegments;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Segments of memory, whoever lends them. */
final class SegmentPaths {
  private static final long[] ALL = {};
  private static final double GIB = 1L << 30;

  private final MasterOperations operations;

  SegmentPaths(MasterOperations operations) {
    this.operations = operations;
  }

  List<Route> routes() {
    return List.of(
        MooncakeRoute.get("/get_all_segments", request -> names())
            .failing(failure -> MooncakeAnswers.text(500, "Failed to get all segments")),
        MooncakeRoute.get("/get_segments_detail", request -> details()),
        MooncakeRoute.get("/query_segment", this::usage)
            .failing(failure -> MooncakeAnswers.text(500, "Failed to query segment")),
        MooncakeRoute.get("/api/v1/segments/status", this::status));
  }

  private Future<List<SegmentInfo>> memory() {
    return operations
        .describeSegments(new DescribeSegments(ALL))
        .map(
            segments ->
                segments.stream()
                    .filter(segment -> segment.spec().kind() == SegmentKind.MEMORY)
                    .toList());
  }

  private Future<Answer> names() {
    return memory()
        .map(
            segments -> {
              StringBuilder names = new StringBuilder();
              for (SegmentInfo segment : segments) {
                names.append(segment.spec().name()).append('\n');
              }
              return MooncakeAnswers.text(names.toString());
            });
  }

  private Future<Answer> details() {
    return memory()
        .map(
            segments -> {
              JsonArray details = new JsonArray();
              segments.forEach(segment -> details.add(detail(segment)));
              return MooncakeAnswers.json(
                  new JsonObject().put("total_segments", segments.size()).put("segments", details));
            });
  }

  /** What only Moonpool's clients reach has no address, endpoint and protocol of Mooncake's. */
  private static JsonObject detail(SegmentInfo segment) {
    MooncakeEndpoint endpoint = SegmentAddresses.read(segment);
    long size = segment.spec().size();
    return new JsonObject()
        .put("segment_name", segment.spec().name())
        .put("segment_id", MooncakeAnswers.id(segment.spec().id()))
        .put("client_id", MooncakeAnswers.id(segment.nodeId()))
        .put("base_address", "0x" + Long.toHexString(endpoint == null ? 0 : endpoint.base()))
        .put("size_bytes", size)
        .put("size_human", String.format(Locale.ROOT, "%.2f GiB", size / GIB))
        .put("te_endpoint", endpoint == null ? "" : endpoint.endpoint())
        .put("protocol", endpoint == null ? "" : endpoint.protocol())
        .put("status", segment.status().name())
        .put("allocator_used_bytes", segment.usedBytes())
        .put("allocator_capacity_bytes", size)
        .put("allocator_usage_percent", size == 0 ? 0 : 100.0 * segment.usedBytes() / size);
  }

  /** All segments of a name together. */
  private Future<Answer> usage(RouteRequest request) {
    Set<String> wanted = RawQuery.meanings(RawQuery.raw(request.rawQuery(), "segment"));
    return memory()
        .map(
            segments -> {
              for (String name : wanted) {
                List<SegmentInfo> found = named(segments, name);
                if (!found.isEmpty()) {
                  return MooncakeAnswers.text(usage(name, found));
                }
              }
              throw new StoreException(ErrorCode.SEGMENT_NOT_FOUND);
            });
  }

  private static String usage(String name, List<SegmentInfo> segments) {
    long used = segments.stream().mapToLong(SegmentInfo::usedBytes).sum();
    long capacity = segments.stream().mapToLong(segment -> segment.spec().size()).sum();
    return name + "\nUsed(bytes): " + used + "\nCapacity(bytes) : " + capacity + "\n";
  }

  private static List<SegmentInfo> named(List<SegmentInfo> segments, String name) {
    return segments.stream().filter(segment -> segment.spec().name().equals(name)).toList();
  }

  private Future<Answer> status(RouteRequest request) {
    String name = RawQuery.decoded(request.rawQuery(), "segment");
    if (name.isEmpty()) {
      return Future.succeededFuture(
          MooncakeAnswers.failed(400, ErrorCode.INVALID_PARAMS, "Missing segment query parameter"));
    }
    return memory()
        .map(
            segments -> {
              List<SegmentInfo> found = named(segments, name);
              // One that is on its way out counts when there is no other of that name.
              SegmentStatus status =
                  found.stream()
                      .map(SegmentInfo::status)
                      .reduce((one, other) -> one == SegmentStatus.UNMOUNTING ? other : one)
                      .orElseThrow(() -> new StoreException(ErrorCode.SEGMENT_NOT_FOUND));
              return MooncakeAnswers.json(
                  MooncakeAnswers.withoutError(
                      MooncakeAnswers.success()
                          .put("segment", name)
                          .put("status", status.number())
                          .put("status_name", status.name())));
            });
  }
}
