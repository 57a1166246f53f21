package io.moonpool.ucx;

import io.moonpool.libc.Readiness;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one thread needs to take part: it progresses the puts and gets of its endpoints, and in
 * software transports those of peers into this process's memory. Only {@link #signal} may be called
 * by other threads.
 */
public final class UcxWorker implements AutoCloseable {
  /** {@code ucp_ep_params_t}: mask, address, error mode, error handler and its argument. */
  private static final long FIELD_ADDRESS = 1;

  private static final long FIELD_ERROR_MODE = 2;
  private static final long FIELD_ERROR_HANDLER = 4;
  private static final long ADDRESS_AT = 8;
  private static final long ERROR_MODE_AT = 16;
  private static final long ERROR_HANDLER_AT = 24;
  private static final long ERROR_ARGUMENT_AT = 32;
  private static final int ERROR_MODE_PEER = 1;

  private final UcxContext context;
  private final long handle;
  private final int eventFd;
  private final Thread owner = Thread.currentThread();
  private final Arena arena;
  private final MemorySegment noParameters;
  private final MemorySegment errorHandler;
  private final Map<Long, UcxEndpoint> endpoints = new HashMap<>();
  private long lastId;

  /** Guards the handle against a signal during the close. */
  private final Object signals = new Object();

  private volatile boolean closed;

  @SuppressWarnings("MustBeClosedChecker") // The worker owns the arena and closes it.
  private UcxWorker(UcxContext context, long handle, int eventFd) {
    this.context = context;
    this.handle = handle;
    this.eventFd = eventFd;
    this.arena = Arena.ofShared();
    this.noParameters = arena.allocate(Ucp.STRUCT_BYTES, Long.BYTES);
    this.errorHandler = errorHandler(arena);
  }

  private MemorySegment errorHandler(Arena stubs) {
    try {
      return Linker.nativeLinker()
          .upcallStub(
              MethodHandles.lookup()
                  .bind(
                      this,
                      "onError",
                      MethodType.methodType(void.class, long.class, long.class, byte.class)),
              FunctionDescriptor.ofVoid(
                  ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_BYTE),
              stubs);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the error handler has another signature", e);
    }
  }

  static UcxWorker create(UcxContext context) {
    long open = context.join();
    try (Arena scratch = Arena.ofConfined()) {
      // An empty mask: for one thread at a time.
      MemorySegment params = scratch.allocate(Ucp.STRUCT_BYTES, Long.BYTES);
      MemorySegment out = scratch.allocate(ValueLayout.JAVA_LONG);
      Ucp.require(
          "ucp_worker_create", () -> (byte) Ucp.WORKER_CREATE.invokeExact(open, params, out));
      long worker = out.get(ValueLayout.JAVA_LONG, 0);
      try {
        Ucp.require(
            "ucp_worker_get_efd", () -> (byte) Ucp.WORKER_EVENT_FD.invokeExact(worker, out));
        return new UcxWorker(context, worker, out.get(ValueLayout.JAVA_INT, 0));
      } catch (RuntimeException e) {
        destroy(worker);
        throw e;
      }
    } catch (RuntimeException e) {
      context.leave();
      throw e;
    }
  }

  private static void destroy(long worker) {
    Ucp.status(
        () -> {
          Ucp.WORKER_DESTROY.invokeExact(worker);
          return Ucp.OK;
        });
  }

  void requireOwner() {
    if (Thread.currentThread() != owner) {
      throw new IllegalStateException(
          "a UCX worker belongs to the thread that made it, " + owner.getName());
    }
  }

  void requireOpen() {
    requireOwner();
    if (closed) {
      throw new IllegalStateException("the UCX worker is closed");
    }
  }

  boolean isClosed() {
    return closed;
  }

  MemorySegment noParameters() {
    return noParameters;
  }

  void forget(long id) {
    endpoints.remove(id);
  }

  /** Endpoints that are not closed. */
  public int endpoints() {
    return endpoints.size();
  }

  /** What a peer needs to {@link #connect} to this worker. */
  public byte[] address() {
    requireOpen();
    return Ucp.packed(
        "ucp_worker_get_address",
        (address, length) -> (byte) Ucp.WORKER_ADDRESS.invokeExact(handle, address, length),
        address -> {
          Ucp.WORKER_RELEASE_ADDRESS.invokeExact(handle, address);
        });
  }

  /**
   * Starts a connection to another worker. Whether it can be reached shows with the first transfer.
   *
   * @param address what its {@link #address} returned
   * @param errorHandling whether to have the library notice when the peer is gone; not all of its
   *     transports can
   * @throws UcxException when no transport leads there; {@link UcxException#unreachable} also when
   *     none with error handling does
   */
  public UcxEndpoint connect(byte[] address, boolean errorHandling) {
    requireOpen();
    try (Arena scratch = Arena.ofConfined()) {
      // Zeros behind it, since the library learns the length from the bytes themselves.
      MemorySegment remote = scratch.allocate(address.length + Ucp.STRUCT_BYTES, Long.BYTES);
      MemorySegment.copy(address, 0, remote, ValueLayout.JAVA_BYTE, 0, address.length);
      MemorySegment params = scratch.allocate(Ucp.STRUCT_BYTES, Long.BYTES);
      long id = ++lastId;
      long mask = FIELD_ADDRESS;
      params.set(ValueLayout.JAVA_LONG, ADDRESS_AT, remote.address());
      if (errorHandling) {
        mask |= FIELD_ERROR_MODE | FIELD_ERROR_HANDLER;
        params.set(ValueLayout.JAVA_INT, ERROR_MODE_AT, ERROR_MODE_PEER);
        params.set(ValueLayout.JAVA_LONG, ERROR_HANDLER_AT, errorHandler.address());
        params.set(ValueLayout.JAVA_LONG, ERROR_ARGUMENT_AT, id);
      }
      params.set(ValueLayout.JAVA_LONG, 0, mask);
      MemorySegment out = scratch.allocate(ValueLayout.JAVA_LONG);
      Ucp.require("ucp_ep_create", () -> (byte) Ucp.EP_CREATE.invokeExact(handle, params, out));
      UcxEndpoint endpoint =
          new UcxEndpoint(this, id, out.get(ValueLayout.JAVA_LONG, 0), errorHandling);
      endpoints.put(id, endpoint);
      return endpoint;
    }
  }

  /**
   * Called by the library when an endpoint fails, from within its other calls. It may come late,
   * for an endpoint that is closed: nobody is told then. Throwing here would end the process.
   */
  @SuppressWarnings("UnusedVariable") // The library passes its own handle, too.
  void onError(long id, long endpointHandle, byte status) {
    try {
      UcxEndpoint endpoint = endpoints.get(id);
      if (endpoint != null) {
        endpoint.failed(status);
      }
    } catch (RuntimeException e) {
      // A report that cannot be taken: the requests under way end with an error all the same.
    }
  }

  /**
   * Moves things on.
   *
   * @return true when there was something to do
   */
  public boolean progress() {
    requireOpen();
    try {
      return (int) Ucp.WORKER_PROGRESS.invokeExact(handle) != 0;
    } catch (Throwable t) {
      throw Ucp.wrongSignature(t);
    }
  }

  /**
   * Waits until there may be something to do, somebody {@link #signal}s, or the time is over.
   * Returns at once when there is something to do already.
   *
   * @param timeoutMillis 0 or more
   */
  public void await(int timeoutMillis) {
    requireOpen();
    int status = Ucp.status(() -> (byte) Ucp.WORKER_ARM.invokeExact(handle));
    if (status == Ucp.ERR_BUSY) {
      return;
    }
    if (status < Ucp.OK) {
      throw new UcxException("ucp_worker_arm", status);
    }
    Readiness.awaitReadable(eventFd, timeoutMillis);
  }

  /** Wakes the owner from {@link #await}. Any thread; nothing happens when it is closed. */
  public void signal() {
    synchronized (signals) {
      if (!closed) {
        Ucp.status(() -> (byte) Ucp.WORKER_SIGNAL.invokeExact(handle));
      }
    }
  }

  /**
   * Closes the worker with all its endpoints and keys; requests under way end as cancelled. Peers'
   * accesses that software transports have not applied are dropped. A second call does nothing.
   */
  @Override
  public void close() {
    requireOwner();
    synchronized (signals) {
      if (closed) {
        return;
      }
      List.copyOf(endpoints.values()).forEach(UcxEndpoint::closed);
      closed = true;
    }
    destroy(handle);
    arena.close();
    context.leave();
  }
}
