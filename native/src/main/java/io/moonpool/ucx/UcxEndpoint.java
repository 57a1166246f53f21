package io.moonpool.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a worker to a worker of another process. Belongs to the worker's thread.
 *
 * <pre>
 * state  | event                              | next
 * OPEN   | the library reports an error       | FAILED; what is under way ends with an error
 * OPEN   | close                              | CLOSED
 * FAILED | close                              | CLOSED
 * CLOSED | a late report, a second close      | CLOSED; nothing happens
 * </pre>
 *
 * <p>Only an open endpoint takes puts, gets and flushes.
 */
public final class UcxEndpoint {
  private enum State {
    OPEN,
    FAILED,
    CLOSED
  }

  /** {@code ucp_request_param_t}: mask, flags. */
  private static final int ATTR_FLAGS = 0x10;

  private static final long REQUEST_FLAGS_AT = 4;
  private static final int CLOSE_FORCE = 1;

  private final UcxWorker worker;
  private final long id;
  private final long handle;
  private final boolean errorHandling;
  private final Set<UcxRemoteKey> keys = new HashSet<>();
  private State state = State.OPEN;
  private @Nullable String failure;

  UcxEndpoint(UcxWorker worker, long id, long handle, boolean errorHandling) {
    this.worker = worker;
    this.id = id;
    this.handle = handle;
    this.errorHandling = errorHandling;
  }

  UcxWorker worker() {
    return worker;
  }

  /** False when the transports in use cannot tell that the peer is gone. */
  public boolean errorHandling() {
    return errorHandling;
  }

  /** Why it cannot be used any more; null while it can. */
  public @Nullable String failure() {
    return failure;
  }

  /** The library reports that the peer is gone. */
  void failed(int status) {
    if (state == State.OPEN) {
      state = State.FAILED;
      failure = Ucp.statusString(status);
    }
  }

  private void requireUsable() {
    worker.requireOpen();
    if (state != State.OPEN) {
      throw new IllegalStateException("the endpoint is " + state + ": " + failure);
    }
  }

  /**
   * Takes the key of memory of the peer.
   *
   * @param key what the owner's {@link UcxMemory#remoteKey} returned
   * @param address where the memory starts in the peer
   * @param bytes its size
   * @throws UcxException when no transport of this endpoint leads to it
   */
  public UcxRemoteKey unpack(byte[] key, long address, long bytes) {
    requireUsable();
    try (Arena arena = Arena.ofConfined()) {
      // The library learns the length from the bytes themselves: zeros behind them end a torn key.
      MemorySegment copy = arena.allocate(key.length + Ucp.STRUCT_BYTES, Long.BYTES);
      MemorySegment.copy(key, 0, copy, ValueLayout.JAVA_BYTE, 0, key.length);
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      Ucp.require(
          "ucp_ep_rkey_unpack", () -> (byte) Ucp.RKEY_UNPACK.invokeExact(handle, copy, out));
      UcxRemoteKey remote =
          new UcxRemoteKey(this, out.get(ValueLayout.JAVA_LONG, 0), address, bytes);
      keys.add(remote);
      return remote;
    }
  }

  void forget(UcxRemoteKey key) {
    keys.remove(key);
  }

  /**
   * Starts to write to the peer. When the request has ended the local memory may be used again; the
   * bytes are at the peer only after a {@link #flush} that followed.
   *
   * @param local native memory, which must stay as it is until the request has ended
   * @param offset bytes from the start of the peer's memory
   */
  public UcxRequest put(MemorySegment local, UcxRemoteKey key, long offset) {
    long from = usable(local);
    long to = key.address(this, offset, local.byteSize());
    try {
      return UcxRequest.of(
          worker,
          local,
          (long)
              Ucp.PUT.invokeExact(
                  handle, from, local.byteSize(), to, key.handle(), worker.noParameters()));
    } catch (Throwable t) {
      throw Ucp.wrongSignature(t);
    }
  }

  /**
   * Starts to read from the peer. When the request has ended well the bytes are there.
   *
   * @param local writable native memory, which nobody else may use until the request has ended
   * @param offset bytes from the start of the peer's memory
   */
  public UcxRequest get(MemorySegment local, UcxRemoteKey key, long offset) {
    long to = usable(local);
    long from = key.address(this, offset, local.byteSize());
    if (local.isReadOnly()) {
      throw new IllegalArgumentException("the memory that a get fills is read-only");
    }
    try {
      return UcxRequest.of(
          worker,
          local,
          (long)
              Ucp.GET.invokeExact(
                  handle, to, local.byteSize(), from, key.handle(), worker.noParameters()));
    } catch (Throwable t) {
      throw Ucp.wrongSignature(t);
    }
  }

  private long usable(MemorySegment local) {
    requireUsable();
    if (!local.isNative() || !local.scope().isAlive()) {
      throw new IllegalArgumentException(
          "UCX moves memory outside the heap that has not been freed");
    }
    return local.address();
  }

  /** Starts a flush; when it has ended well, all puts before it are visible at the peer. */
  public UcxRequest flush() {
    requireUsable();
    try {
      return UcxRequest.of(
          worker, null, (long) Ucp.FLUSH.invokeExact(handle, worker.noParameters()));
    } catch (Throwable t) {
      throw Ucp.wrongSignature(t);
    }
  }

  /**
   * Starts to close: what is under way ends with an error, where the transports can do that. A
   * second call, or one after the worker was closed, returns a request that has ended.
   */
  public UcxRequest close() {
    worker.requireOwner();
    if (state == State.CLOSED) {
      return UcxRequest.ended(worker, Ucp.OK);
    }
    closed();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment params = arena.allocate(Ucp.STRUCT_BYTES, Long.BYTES);
      if (errorHandling) {
        params.set(ValueLayout.JAVA_INT, 0, ATTR_FLAGS);
        params.set(ValueLayout.JAVA_INT, REQUEST_FLAGS_AT, CLOSE_FORCE);
      }
      return UcxRequest.of(worker, null, (long) Ucp.EP_CLOSE.invokeExact(handle, params));
    } catch (Throwable t) {
      throw Ucp.wrongSignature(t);
    }
  }

  /** Destroys the keys and marks it closed; the library's handle goes with the worker, or after. */
  void closed() {
    state = State.CLOSED;
    if (failure == null) {
      failure = "closed";
    }
    for (UcxRemoteKey key : List.copyOf(keys)) {
      key.destroy();
    }
    keys.clear();
    worker.forget(id);
  }
}
