package io.moonpool.transfer;

import io.moonpool.model.SegmentEndpoint;
import io.vertx.core.Future;
import java.lang.foreign.MemorySegment;
import java.util.UUID;

/**
 * One-sided put and get between memory of this process and registered regions of others, through
 * one kind of channel. Applications use {@link Transports}, which chooses.
 *
 * <p>Failures are {@link io.moonpool.model.StoreException}s: TRANSFER_FAIL when the peer refuses
 * the generation or the range, is gone, breaks off or hangs; LEASE_EXPIRED when the deadline
 * passes. A transfer ends soon after its deadline at the latest, whatever the peer does.
 *
 * <p>What a failed put may still change: nothing after its deadline, since the peer's side itself
 * stops there; nothing at all when it failed because the peer refused or did not answer in time.
 * When the connection broke, what the peer had received by then may still be applied, within the
 * deadline. A peer of {@code shm} that was stopped in the middle of a piece finishes that piece
 * when it goes on.
 *
 * <p>{@code put} and {@code get} may be called from any Vert.x context and never block it; their
 * futures complete on it. The local memory must be usable by any thread (a shared, automatic or
 * global arena, or the heap) and stay untouched until then. The other methods may block and belong
 * on a worker.
 */
public interface Transport {
  /** {@code shm}, {@code tcp} or {@code ucx}. */
  String name();

  /**
   * Makes a region reachable for peers. Until {@link #activate} every access is refused.
   *
   * @return how peers reach it
   * @throws IllegalStateException when the segment is registered already, or this process does not
   *     serve
   */
  SegmentEndpoint register(Region region, UUID segmentId);

  /**
   * From now on accepts accesses under that generation, and only under it. Waits until accesses
   * under an earlier one have ended; those that take longer than about a second are cut off.
   *
   * @throws IllegalStateException when the segment is not registered, or the caller is an event
   *     loop
   */
  void activate(UUID segmentId, long generation);

  /**
   * Refuses further accesses; completes when none is under way, after a few seconds at most. The
   * region may then be closed. Does nothing when the segment is not registered.
   */
  Future<Void> unregister(UUID segmentId);

  /**
   * Writes local memory to a remote segment. Completes when the bytes are there.
   *
   * @param remoteOffset bytes from the start of the segment
   * @param deadlineNanos {@link System#nanoTime()} after which nothing may be written any more
   * @throws IllegalArgumentException when not every thread may use the local memory
   */
  default Future<Void> put(
      MemorySegment local, RemoteSegment remote, long remoteOffset, long deadlineNanos) {
    return transfer(true, local, remote, remoteOffset, deadlineNanos);
  }

  /**
   * Reads from a remote segment into local memory.
   *
   * @param remoteOffset bytes from the start of the segment
   * @param deadlineNanos {@link System#nanoTime()} after which the bytes must not be trusted
   * @throws IllegalArgumentException when not every thread may write the local memory
   */
  default Future<Void> get(
      MemorySegment local, RemoteSegment remote, long remoteOffset, long deadlineNanos) {
    return transfer(false, local, remote, remoteOffset, deadlineNanos);
  }

  /** A {@link #put}, or a {@link #get}. */
  Future<Void> transfer(
      boolean put,
      MemorySegment local,
      RemoteSegment remote,
      long remoteOffset,
      long deadlineNanos);

  /** Closes what this transport opened; transfers under way fail. */
  Future<Void> close();
}
