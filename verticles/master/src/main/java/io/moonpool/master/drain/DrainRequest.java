package io.moonpool.master.drain;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.util.List;

/**
 * What somebody wants drained, and how. Either a node or segments are named.
 *
 * @param node name, id, address or host id of the node whose segments, disk included, are drained;
 *     empty when segments are named
 * @param segments names or ids of the segments; empty when a node is named
 * @param targetSegments names or ids of the memory segments that may take the objects; empty: all
 * @param maxConcurrency objects that are under way at one time
 * @param maxBytesPerSecond 0: as fast as it goes
 * @param deadlineMillis the job fails when it takes longer than that; 0: no deadline
 * @param stallTimeoutMillis the job fails when it gets nowhere for that long; 0: as configured
 */
public record DrainRequest(
    String node,
    List<String> segments,
    List<String> targetSegments,
    int maxConcurrency,
    long maxBytesPerSecond,
    long deadlineMillis,
    long stallTimeoutMillis) {
  /** Objects under way at one time when nobody says otherwise. */
  public static final int DEFAULT_CONCURRENCY = 4;

  /** Most objects that a job may have under way at one time. */
  public static final int MAX_CONCURRENCY = 1_024;

  /**
   * Copies the lists and checks what can be checked without looking at the segments.
   *
   * @throws StoreException INVALID_PARAMS
   */
  public DrainRequest {
    segments = List.copyOf(segments);
    targetSegments = List.copyOf(targetSegments);
    if (node.isEmpty() == segments.isEmpty()) {
      throw invalid("say what to drain: either a node or segments");
    }
    if (maxConcurrency < 1 || maxConcurrency > MAX_CONCURRENCY) {
      throw invalid(
          "max_concurrency must be from 1 to " + MAX_CONCURRENCY + ", not " + maxConcurrency);
    }
    if (maxBytesPerSecond < 0 || deadlineMillis < 0 || stallTimeoutMillis < 0) {
      throw invalid("max_bytes_per_second, deadline_ms and stall_timeout_ms must not be negative");
    }
  }

  private static StoreException invalid(String message) {
    return new StoreException(ErrorCode.INVALID_PARAMS, message);
  }

  /** Drains a node with the defaults. */
  public static DrainRequest ofNode(String node) {
    return new DrainRequest(node, List.of(), List.of(), DEFAULT_CONCURRENCY, 0, 0, 0);
  }

  /** Drains segments with the defaults. */
  public static DrainRequest ofSegments(String... segments) {
    return new DrainRequest("", List.of(segments), List.of(), DEFAULT_CONCURRENCY, 0, 0, 0);
  }
}
