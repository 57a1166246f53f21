package io.moonpool.ucx;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A put, get, flush or close under way. Belongs to its worker's thread, which must {@link #poll} it
 * until it has ended.
 */
public final class UcxRequest {
  private final UcxWorker worker;

  /** Keeps the memory from being collected while the library reads or writes it. */
  @SuppressWarnings("UnusedVariable")
  private @Nullable MemorySegment memory;

  private long handle;
  private int status;

  private UcxRequest(UcxWorker worker, @Nullable MemorySegment memory, long handle, int status) {
    this.worker = worker;
    this.memory = memory;
    this.handle = handle;
    this.status = status;
  }

  /** What a call returned: nothing when it was done at once, a status, or a request. */
  static UcxRequest of(UcxWorker worker, @Nullable MemorySegment memory, long returned) {
    if (returned == 0) {
      return new UcxRequest(worker, null, 0, Ucp.OK);
    }
    return Ucp.isError(returned)
        ? new UcxRequest(worker, null, 0, (int) returned)
        : new UcxRequest(worker, memory, returned, Ucp.IN_PROGRESS);
  }

  /** A request that has ended already. */
  static UcxRequest ended(UcxWorker worker, int status) {
    return new UcxRequest(worker, null, 0, status);
  }

  /**
   * Whether it has ended. A request whose worker is closed has.
   *
   * @return false while it is under way
   */
  public boolean poll() {
    worker.requireOwner();
    if (handle == 0) {
      return true;
    }
    if (worker.isClosed()) {
      end(Ucp.ERR_CANCELED);
      return true;
    }
    long request = handle;
    int now = Ucp.status(() -> (byte) Ucp.REQUEST_STATUS.invokeExact(request));
    if (now == Ucp.IN_PROGRESS) {
      return false;
    }
    Ucp.status(
        () -> {
          Ucp.REQUEST_FREE.invokeExact(request);
          return Ucp.OK;
        });
    end(now);
    return true;
  }

  private void end(int finalStatus) {
    handle = 0;
    status = finalStatus;
    memory = null;
  }

  /** Null when it ended well or is under way, else why it failed. */
  public @Nullable String failure() {
    return status >= Ucp.OK ? null : Ucp.statusString(status);
  }
}
