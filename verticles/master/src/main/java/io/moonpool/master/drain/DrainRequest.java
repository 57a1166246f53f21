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

  /** Longest deadline and stall timeout: a year, in milliseconds. */
  public static final long MAX_MILLIS = 365L * 86_400_000;

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
    if (maxBytesPerSecond < 0) {
      throw invalid("max_bytes_per_second must not be negative, but is " + maxBytesPerSecond);
    }
    checkMillis("deadline_ms", deadlineMillis);
    checkMillis("stall_timeout_ms", stallTimeoutMillis);
  }

  private static void checkMillis(String name, long millis) {
    if (millis < 0 || millis > MAX_MILLIS) {
      throw invalid(name + " must be from 0 to " + MAX_MILLIS + " ms (a year), not " + millis);
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
