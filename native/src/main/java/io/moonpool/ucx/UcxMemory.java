package io.moonpool.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Memory that is registered with the devices of a context. Any thread. Closing makes its key void:
 * devices refuse later accesses, but UCX's software transports do not, so whoever closes must know
 * that no peer uses the key any more.
 */
public final class UcxMemory implements AutoCloseable {
  /** {@code ucp_mem_map_params_t}: field mask, address, length, flags. */
  private static final long FIELDS_ADDRESS_LENGTH_FLAGS = 1 | 2 | 4;

  private static final long ADDRESS_AT = 8;
  private static final long LENGTH_AT = 16;
  private static final long FLAGS_AT = 24;
  private static final int FLAG_ALLOCATE = 2;

  /** {@code ucp_mem_attr_t}: field mask, address, length. */
  private static final long ATTR_ADDRESS_LENGTH = 1 | 2;

  private final UcxContext context;
  private final long handle;
  private final MemorySegment memory;

  /** Closes {@link #memory} before the library frees it; null when it is the caller's. */
  private final @Nullable Arena arena;

  private boolean closed;

  private UcxMemory(UcxContext context, long handle, MemorySegment memory, @Nullable Arena arena) {
    this.context = context;
    this.handle = handle;
    this.memory = memory;
    this.arena = arena;
  }

  static UcxMemory register(UcxContext context, MemorySegment memory) {
    if (!memory.isNative() || memory.byteSize() == 0 || !memory.scope().isAlive()) {
      throw new IllegalArgumentException("only memory outside the heap can be registered");
    }
    long handle = map(context, memory.address(), memory.byteSize(), 0);
    return new UcxMemory(context, handle, memory, null);
  }

  @SuppressWarnings("MustBeClosedChecker") // The object owns the arena and closes it.
  static UcxMemory allocate(UcxContext context, long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a region has at least 1 byte, not " + bytes);
    }
    long handle = map(context, 0, bytes, FLAG_ALLOCATE);
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment attributes = scratch.allocate(Ucp.STRUCT_BYTES, Long.BYTES);
      attributes.set(ValueLayout.JAVA_LONG, 0, ATTR_ADDRESS_LENGTH);
      Ucp.require("ucp_mem_query", () -> (byte) Ucp.MEM_QUERY.invokeExact(handle, attributes));
      Arena arena = Arena.ofShared();
      MemorySegment memory =
          MemorySegment.ofAddress(attributes.get(ValueLayout.JAVA_LONG, ADDRESS_AT))
              .reinterpret(bytes, arena, null);
      return new UcxMemory(context, handle, memory, arena);
    } catch (RuntimeException e) {
      unmap(context, handle);
      throw e;
    }
  }

  private static long map(UcxContext context, long address, long bytes, int flags) {
    long open = context.join();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment params = arena.allocate(Ucp.STRUCT_BYTES, Long.BYTES);
      params.set(ValueLayout.JAVA_LONG, 0, FIELDS_ADDRESS_LENGTH_FLAGS);
      params.set(ValueLayout.JAVA_LONG, ADDRESS_AT, address);
      params.set(ValueLayout.JAVA_LONG, LENGTH_AT, bytes);
      params.set(ValueLayout.JAVA_INT, FLAGS_AT, flags);
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      Ucp.require("ucp_mem_map", () -> (byte) Ucp.MEM_MAP.invokeExact(open, params, out));
      return out.get(ValueLayout.JAVA_LONG, 0);
    } catch (RuntimeException e) {
      context.leave();
      throw e;
    }
  }

  private static void unmap(UcxContext context, long handle) {
    long open = context.handle();
    Ucp.status(() -> (byte) Ucp.MEM_UNMAP.invokeExact(open, handle));
    context.leave();
  }

  /** The memory. Access to what UCX allocated throws after {@link #close}. */
  public MemorySegment memory() {
    return memory;
  }

  /**
   * What a peer needs to reach this memory, besides its address and size.
   *
   * @throws IllegalStateException when it is closed
   */
  public synchronized byte[] remoteKey() {
    if (closed) {
      throw new IllegalStateException("the memory is not registered any more");
    }
    long open = context.handle();
    return Ucp.packed(
        "ucp_rkey_pack",
        (buffer, length) -> (byte) Ucp.RKEY_PACK.invokeExact(open, handle, buffer, length),
        address -> {
          Ucp.RKEY_BUFFER_RELEASE.invokeExact(address);
        });
  }

  /** Ends the registration, and frees what UCX allocated. A second call does nothing. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (arena != null) {
      arena.close();
    }
    unmap(context, handle);
  }
}
