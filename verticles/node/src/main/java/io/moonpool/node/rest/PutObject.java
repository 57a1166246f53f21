package io.moonpool.node.rest;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.client.parts.PartedUpload;
import io.moonpool.client.parts.StagingPool.Staging;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * {@code PUT}: stores the body as an object. {@code ?replicas=N} asks for copies, {@code
 * ?upsert=true} replaces what is there. A body of up to the part size is staged whole; a longer
 * one, or one whose length is not announced, part by part.
 */
final class PutObject implements ObjectRoute {
  private final MoonpoolClient client;
  private final SharedStaging staging;
  private final RestStats stats;
  private final long spaceWaitMillis;

  /**
   * A route.
   *
   * @param client tells how large the pool is
   * @param spaceWaitMillis how long a write may wait while what is in its place goes to disk
   */
  PutObject(MoonpoolClient client, SharedStaging staging, RestStats stats, long spaceWaitMillis) {
    this.client = client;
    this.staging = staging;
    this.stats = stats;
    this.spaceWaitMillis = spaceWaitMillis;
  }

  @Override
  public Future<Void> handle(RestRequest request) {
    request.takesOnly("replicas", "upsert");
    WriteOptions how =
        WriteOptions.replicas(request.positive("replicas", 1)).withSpaceWaitMillis(spaceWaitMillis);
    boolean upsert = request.flag("upsert");
    long announced = announced(request.http());
    if (announced == 0) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS, "the body is empty: values have at least one byte");
    }
    long partBytes = request.values().options().partBytes();
    SharedStaging.User memory = staging.user(request.http());
    BodyReader body = new BodyReader(request.http(), memory, stats);
    Future<Void> fits =
        announced > partBytes ? checkSize(announced, partBytes) : Future.succeededFuture();
    return fits.compose(
            checked -> {
              if ("100-continue".equalsIgnoreCase(request.http().getHeader("Expect"))) {
                request.http().response().writeContinue();
              }
              return announced > 0 && announced <= partBytes
                  ? putWhole(request, memory, body, announced, how, upsert)
                  : putParts(request, memory, body, how, upsert);
            })
        .recover(failure -> explain(failure, Math.max(announced, body.received()), partBytes))
        .compose(
            size -> {
              request.passBody(); // nothing is left of it but its end
              return request
                  .http()
                  .response()
                  .setStatusCode(201)
                  .putHeader("Content-Type", "application/json")
                  .end(new JsonObject().put("key", request.key()).put("size", size).toBuffer());
            });
  }

  /** The length that the request announces; -1 when it does not. */
  private static long announced(HttpServerRequest http) {
    String text = http.getHeader("Content-Length");
    if (text == null) {
      return http.getHeader("Transfer-Encoding") == null && http.isEnded() ? 0 : -1;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS, "Content-Length is no number: '" + text + "'");
    }
  }

  private Future<Long> putWhole(
      RestRequest request,
      SharedStaging.User memory,
      BodyReader body,
      long size,
      WriteOptions how,
      boolean upsert) {
    return memory
        .take(size)
        .compose(
            staged ->
                body.fill(staged.memory())
                    .compose(
                        got ->
                            upsert
                                ? request.values().upsert(request.key(), staged.memory(), how)
                                : request.values().put(request.key(), staged.memory(), how))
                    .onComplete(done -> staged.release()))
        .map(size);
  }

  private Future<Long> putParts(
      RestRequest request,
      SharedStaging.User memory,
      BodyReader body,
      WriteOptions how,
      boolean upsert) {
    return request
        .values()
        .upload(request.key(), how, upsert)
        .compose(
            upload ->
                addParts(request, memory, body, upload, how, upsert)
                    .recover(
                        failure -> upload.abort().transform(gone -> Future.failedFuture(failure))));
  }

  /** Reads the next part while the last one is on its way. */
  private Future<Long> addParts(
      RestRequest request,
      SharedStaging.User memory,
      BodyReader body,
      PartedUpload upload,
      WriteOptions how,
      boolean upsert) {
    return memory
        .take(request.values().options().partBytes())
        .compose(
            staged ->
                body.fill(staged.memory())
                    .onFailure(failed -> staged.release())
                    .compose(
                        length -> {
                          boolean last = length < staged.memory().byteSize() || body.isAtEnd();
                          if (last && upload.parts() == 0) {
                            return putShort(request, staged, length, how, upsert);
                          }
                          if (length == 0) {
                            staged.release();
                          } else {
                            upload
                                .add(staged.memory().asSlice(0, length))
                                .onComplete(put -> staged.release());
                          }
                          return last
                              ? upload.finish().map(upload.size())
                              : addParts(request, memory, body, upload, how, upsert);
                        }));
  }

  /** A body whose length was not announced, and turned out to be no larger than a part. */
  private static Future<Long> putShort(
      RestRequest request, Staging staged, long length, WriteOptions how, boolean upsert) {
    if (length == 0) {
      staged.release();
      return Future.failedFuture(
          new StoreException(
              ErrorCode.INVALID_PARAMS, "the body is empty: values have at least one byte"));
    }
    var value = staged.memory().asSlice(0, length);
    Future<Void> put =
        upsert
            ? request.values().upsert(request.key(), value, how)
            : request.values().put(request.key(), value, how);
    return put.map(length).onComplete(done -> staged.release());
  }

  /** Refuses what could never fit, before its bytes are read. */
  private Future<Void> checkSize(long size, long partBytes) {
    return client
        .segments()
        .compose(
            segments -> {
              String why = tooLarge(segments, size, partBytes);
              return why.isEmpty()
                  ? Future.succeededFuture()
                  : Future.failedFuture(
                      new RefusedRequest(413, ErrorCode.NO_AVAILABLE_HANDLE, why));
            });
  }

  /** Tells a full pool from one that is too small. */
  private <T> Future<T> explain(Throwable failure, long size, long partBytes) {
    return StoreException.codeOf(failure) == ErrorCode.NO_AVAILABLE_HANDLE
        ? checkSize(size, partBytes)
            .transform(fits -> Future.failedFuture(fits.failed() ? fits.cause() : failure))
        : Future.failedFuture(failure);
  }

  /** Why a value can never be stored in these segments; empty when it can. */
  static String tooLarge(List<SegmentInfo> segments, long size, long partBytes) {
    long largest = 0;
    long total = 0;
    for (SegmentInfo segment : segments) {
      if (segment.status() != SegmentStatus.OK) {
        continue;
      }
      total += segment.spec().size();
      // A part is written to memory; a disk takes it from there to make room for the next one.
      if (segment.spec().kind() == SegmentKind.MEMORY) {
        largest = Math.max(largest, segment.spec().size());
      }
    }
    if (largest == 0) {
      return ""; // no node has mounted yet: that may change
    }
    if (Math.min(size, partBytes) > largest) {
      return "the value needs "
          + Math.min(size, partBytes)
          + " bytes in one segment, and the largest has "
          + largest
          + ": lend larger segments, or lower part_bytes";
    }
    return size > total
        ? "the value has "
            + size
            + " bytes, and all memory and disks together "
            + total
            + ": add nodes, or disks"
        : "";
  }
}
