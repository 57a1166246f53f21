package io.moonpool.transfer;

import io.moonpool.model.SegmentEndpoint;
import io.vertx.core.Future;
import java.lang.foreign.MemorySegment;
import java.util.UUID;

/**
 * One-sided put and get between memory of this process and registered regions of others.
 *
 * <p>Failures are {@link io.moonpool.model.StoreException}s: TRANSFER_FAIL when the peer refuses
 * the generation or the range, is gone or breaks off; LEASE_EXPIRED when the deadline passes. After
 * a failure nothing of this process writes to the remote range any more.
 *
 * <p>{@code put} and {@code get} may be called from any Vert.x context and never block it; their
 * futures complete on it. The local memory must stay untouched until then. The other methods may
 * block and belong on a worker.
 */
public interface Transport {
  /** {@code shm}, {@code tcp} or {@code ucx}. */
  String name();

  /**
   * Makes a region reachable for peers. Until {@link #activate} every access is refused.
   *
   * @return how peers reach it
   */
  SegmentEndpoint register(Region region, UUID segmentId);

  /** From now on accepts accesses under that generation, and only under it. */
  void activate(UUID segmentId, long generation);

  /** Refuses further accesses; completes when none is under way. The region may then be closed. */
  Future<Void> unregister(UUID segmentId);

  /**
   * Writes local memory to a remote segment. Completes when the bytes are there.
   *
   * @param deadlineNanos {@link System#nanoTime()} after which nothing may be written any more
   */
  Future<Void> put(
      MemorySegment local, RemoteSegment remote, long remoteOffset, long deadlineNanos);

  /**
   * Reads from a remote segment into local memory.
   *
   * @param deadlineNanos {@link System#nanoTime()} after which the bytes must not be trusted
   */
  Future<Void> get(
      MemorySegment local, RemoteSegment remote, long remoteOffset, long deadlineNanos);

  /** Closes connections and server; transfers under way fail. */
  Future<Void> close();
}
