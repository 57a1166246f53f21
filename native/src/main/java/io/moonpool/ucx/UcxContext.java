package io.moonpool.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One use of UCX: the transports and devices that were chosen when it was opened, and the memory
 * that is registered with them. Any thread; opening, registering and closing block.
 *
 * <pre>
 * state  | event                          | next
 * OPEN   | close, workers or regions left | CLOSED; they go on, nothing more can be made
 * OPEN   | close                          | ENDED
 * CLOSED | the last of them is closed     | ENDED
 * </pre>
 */
public final class UcxContext implements AutoCloseable {
  /** {@code ucp_params_t}: field mask, features, ..., whether several threads use workers. */
  private static final long FIELD_FEATURES = 1;

  private static final long FIELD_WORKERS_SHARED = 1 << 5;
  private static final long FEATURES_AT = 8;
  private static final long WORKERS_SHARED_AT = 48;

  private static final int MAJOR = 1;

  private static final Set<String> WITHIN_MACHINE =
      Set.of("self", "posix", "sysv", "cma", "knem", "xpmem");

  private static final Pattern RESOURCE =
      Pattern.compile("resource\\s+\\d+\\s*:.*\\s--\\s*(?:\\[[^]]*])?\\s*(\\S+/\\S+)");

  private final long handle;
  private int users;
  private boolean closed;

  private UcxContext(long handle) {
    this.handle = handle;
  }

  /**
   * Opens UCX for one-sided put and get.
   *
   * @param settings the library's settings without their prefix, such as {@code TLS} for the
   *     transports to use; they win over the environment
   * @throws UcxUnavailableException when the library is absent or too old
   * @throws UcxException when it has no device for these settings
   * @throws IllegalArgumentException when it does not know a setting
   */
  public static UcxContext open(Map<String, String> settings) throws UcxUnavailableException {
    UcxLibrary library = UcxLibrary.load();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      Ucp.require(
          "ucp_config_read",
          () -> (byte) Ucp.CONFIG_READ.invokeExact(MemorySegment.NULL, MemorySegment.NULL, out));
      long config = out.get(ValueLayout.JAVA_LONG, 0);
      try {
        settings.forEach((name, value) -> modify(arena, config, name, value));
        MemorySegment params = arena.allocate(Ucp.STRUCT_BYTES, Long.BYTES);
        params.set(ValueLayout.JAVA_LONG, 0, FIELD_FEATURES | FIELD_WORKERS_SHARED);
        params.set(ValueLayout.JAVA_LONG, FEATURES_AT, Ucp.FEATURE_RMA | Ucp.FEATURE_WAKEUP);
        params.set(ValueLayout.JAVA_INT, WORKERS_SHARED_AT, 1);
        int minor = Math.min(library.minor(), UcxLibrary.MIN_MINOR);
        Ucp.require(
            "ucp_init", () -> (byte) Ucp.INIT.invokeExact(MAJOR, minor, params, config, out));
        return new UcxContext(out.get(ValueLayout.JAVA_LONG, 0));
      } finally {
        Ucp.status(
            () -> {
              Ucp.CONFIG_RELEASE.invokeExact(config);
              return Ucp.OK;
            });
      }
    }
  }

  private static void modify(Arena arena, long config, String name, String value) {
    MemorySegment nameText = arena.allocateFrom(name);
    MemorySegment valueText = arena.allocateFrom(value);
    int status =
        Ucp.status(() -> (byte) Ucp.CONFIG_MODIFY.invokeExact(config, nameText, valueText));
    if (status < Ucp.OK) {
      throw new IllegalArgumentException(
          "UCX does not accept "
              + name
              + "="
              + value
              + ": "
              + Ucp.statusString(status)
              + "; ucx_info -f lists its settings");
    }
  }

  /** The library's handle, for who has joined and not left. */
  long handle() {
    return handle;
  }

  /**
   * Something that needs this context now exists, until {@link #leave}.
   *
   * @return the library's handle
   */
  synchronized long join() {
    if (closed) {
      throw new IllegalStateException("the UCX context is closed");
    }
    users++;
    return handle;
  }

  /** What had joined does not exist any more. */
  synchronized void leave() {
    users--;
    cleanUpIfUnused();
  }

  /**
   * Makes a worker, which belongs to the calling thread.
   *
   * @throws UcxException when the library cannot
   */
  public UcxWorker newWorker() {
    return UcxWorker.create(this);
  }

  /**
   * Registers memory of this process, so that peers that get its key may put and get.
   *
   * @param memory native memory, which must stay allocated until the registration is closed
   * @throws UcxException when the devices refuse it, mostly for want of lockable memory
   */
  public UcxMemory register(MemorySegment memory) {
    return UcxMemory.register(this, memory);
  }

  /**
   * Has UCX allocate and register memory, zeroed. Only such memory is reached one-sided through the
   * library's own shared-memory transports.
   *
   * @param bytes at least 1
   * @throws UcxException when there is no memory
   */
  public UcxMemory allocate(long bytes) {
    return UcxMemory.allocate(this, bytes);
  }

  /**
   * The transports and devices that this context has, such as {@code tcp/eth0} or {@code
   * rc_mlx5/mlx5_0:1}, as far as the library tells.
   */
  public List<String> resources() {
    List<String> resources = new ArrayList<>();
    for (String line : describe().lines().toList()) {
      Matcher matcher = RESOURCE.matcher(line);
      if (matcher.find()) {
        resources.add(matcher.group(1));
      }
    }
    return resources;
  }

  /**
   * Whether endpoints can notice that their peer is gone. Those within one machine cannot; asking
   * the library for it then makes it refuse them.
   */
  public boolean errorHandling() {
    return resources().stream()
        .map(resource -> resource.substring(0, resource.indexOf('/')))
        .anyMatch(transport -> !WITHIN_MACHINE.contains(transport));
  }

  /** What the library prints about this context. */
  private String describe() {
    long open = join();
    Linker linker = Linker.nativeLinker();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment stream =
          (MemorySegment)
              linker
                  .downcallHandle(
                      linker.defaultLookup().findOrThrow("open_memstream"),
                      FunctionDescriptor.of(
                          ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS))
                  .invokeExact(text, length);
      if (stream.address() == 0) {
        return "";
      }
      Ucp.PRINT_INFO.invokeExact(open, stream);
      int ignored =
          (int)
              linker
                  .downcallHandle(
                      linker.defaultLookup().findOrThrow("fclose"),
                      FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS))
                  .invokeExact(stream);
      MemorySegment printed = text.get(ValueLayout.ADDRESS, 0);
      long bytes = length.get(ValueLayout.JAVA_LONG, 0);
      String description = printed.reinterpret(bytes + 1).getString(0);
      linker
          .downcallHandle(
              linker.defaultLookup().findOrThrow("free"),
              FunctionDescriptor.ofVoid(ValueLayout.ADDRESS))
          .invokeExact(printed);
      return description;
    } catch (Throwable t) {
      throw Ucp.wrongSignature(t);
    } finally {
      leave();
    }
  }

  /**
   * From now on nothing more can be made of it. The library's context ends with the last worker and
   * region of it. A second call does nothing.
   */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      cleanUpIfUnused();
    }
  }

  private void cleanUpIfUnused() {
    if (closed && users == 0) {
      Ucp.status(
          () -> {
            Ucp.CLEANUP.invokeExact(handle);
            return Ucp.OK;
          });
    }
  }
}
