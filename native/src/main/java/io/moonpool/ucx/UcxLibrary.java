package io.moonpool.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The UCX libraries of this machine, loaded once a process and never unloaded.
 *
 * <p>Before it loads them it sets what UCX reads from the environment at that moment: UCX must not
 * take over the signals that the virtual machine itself uses for null checks and safepoints, nor
 * patch the C library's code for memory mappings under running threads, nor log to standard output.
 * Whether it left the signals alone is checked afterwards.
 */
public final class UcxLibrary {
  /** The oldest version whose calls and structures these bindings know: 1.{@value}. */
  public static final int MIN_MINOR = 10;

  private static final int MAJOR = 1;

  /** All functions that are bound. */
  private static final List<String> FUNCTIONS =
      List.of(
          "ucp_get_version",
          "ucp_config_read",
          "ucp_config_modify",
          "ucp_config_release",
          "ucp_init_version",
          "ucp_cleanup",
          "ucp_context_print_info",
          "ucp_worker_create",
          "ucp_worker_destroy",
          "ucp_worker_get_address",
          "ucp_worker_release_address",
          "ucp_worker_progress",
          "ucp_worker_get_efd",
          "ucp_worker_arm",
          "ucp_worker_signal",
          "ucp_mem_map",
          "ucp_mem_unmap",
          "ucp_mem_query",
          "ucp_rkey_pack",
          "ucp_rkey_buffer_release",
          "ucp_ep_create",
          "ucp_ep_close_nbx",
          "ucp_ep_rkey_unpack",
          "ucp_rkey_destroy",
          "ucp_put_nbx",
          "ucp_get_nbx",
          "ucp_ep_flush_nbx",
          "ucp_request_check_status",
          "ucp_request_free",
          "ucs_status_string");

  private final String version;
  private final int minor;

  private UcxLibrary(String version, int minor) {
    this.version = version;
    this.minor = minor;
  }

  /**
   * The libraries. Any thread; the first call blocks for some 10 ms.
   *
   * @throws UcxUnavailableException when they are not there, too old, or do not fit a Java process
   */
  public static UcxLibrary load() throws UcxUnavailableException {
    Loaded loaded = Loader.LOADED;
    if (loaded.library == null) {
      throw new UcxUnavailableException(loaded.reason);
    }
    return loaded.library;
  }

  /** The version, such as {@code 1.13.1}. */
  public String version() {
    return version;
  }

  /** The second number of the version. */
  int minor() {
    return minor;
  }

  /** The address of a function, of which {@link #load} has made sure that it is there. */
  static MemorySegment symbol(String name) {
    return Objects.requireNonNull(Loader.LOADED.symbols.get(name), name);
  }

  private record Loaded(
      @Nullable UcxLibrary library, String reason, Map<String, MemorySegment> symbols) {
    static Loaded failed(String reason) {
      return new Loaded(null, reason, Map.of());
    }
  }

  /** Loads the libraries when its class is initialised, which happens once. */
  private static final class Loader {
    /** What UCX is told where the user has not said otherwise. */
    private static final Map<String, String> DEFAULTS =
        Map.of("UCX_MEM_MMAP_HOOK_MODE", "none", "UCX_LOG_FILE", "stderr");

    /** Signals that a Java process handles itself: SIGILL, SIGBUS, SIGFPE, SIGSEGV. */
    private static final int[] JAVA_SIGNALS = {4, 7, 8, 11};

    private static final int SIGACTION_BYTES = 152;

    private static final Linker LINKER = Linker.nativeLinker();

    /** Last: it uses the constants above. */
    static final Loaded LOADED = load();

    private Loader() {}

    private static Loaded load() {
      try {
        environment();
        long[] before = signalHandlers();
        SymbolLookup ucs = SymbolLookup.libraryLookup("libucs.so.0", Arena.global());
        SymbolLookup ucp = SymbolLookup.libraryLookup("libucp.so.0", Arena.global());
        long[] after = signalHandlers();
        for (int i = 0; i < before.length; i++) {
          if (before[i] != after[i]) {
            return Loaded.failed(
                "UCX took over signal "
                    + JAVA_SIGNALS[i]
                    + ", which Java needs: set UCX_HANDLE_ERRORS=none and UCX_ERROR_SIGNALS= in"
                    + " the environment");
          }
        }
        return find(ucs, ucp);
      } catch (IllegalArgumentException e) {
        return Loaded.failed(
            "libucp.so.0 is not installed ("
                + e.getMessage()
                + "): install UCX, on Debian libucx0");
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException("a binding has the wrong signature", e);
      }
    }

    private static Loaded find(SymbolLookup ucs, SymbolLookup ucp) throws Throwable {
      Map<String, MemorySegment> symbols = new LinkedHashMap<>();
      for (String name : FUNCTIONS) {
        MemorySegment address = ucp.find(name).or(() -> ucs.find(name)).orElse(null);
        if (address == null) {
          return Loaded.failed(
              "the UCX that is installed has no "
                  + name
                  + ": install version 1."
                  + MIN_MINOR
                  + " or newer");
        }
        symbols.put(name, address);
      }
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, 3);
        LINKER
            .downcallHandle(
                Objects.requireNonNull(symbols.get("ucp_get_version")),
                FunctionDescriptor.ofVoid(
                    ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS))
            .invokeExact(numbers, numbers.asSlice(4), numbers.asSlice(8));
        int major = numbers.getAtIndex(ValueLayout.JAVA_INT, 0);
        int minor = numbers.getAtIndex(ValueLayout.JAVA_INT, 1);
        String version = major + "." + minor + "." + numbers.getAtIndex(ValueLayout.JAVA_INT, 2);
        String wrong = wrongVersion(major, minor, version);
        return wrong != null
            ? Loaded.failed(wrong)
            : new Loaded(new UcxLibrary(version, minor), "", Map.copyOf(symbols));
      }
    }

    /** Sets the environment of the process, which Java's own copy does not show. */
    private static void environment() throws Throwable {
      setenv("UCX_HANDLE_ERRORS", "none", true);
      setenv("UCX_ERROR_SIGNALS", "", true);
      for (Map.Entry<String, String> entry : DEFAULTS.entrySet()) {
        setenv(entry.getKey(), entry.getValue(), false);
      }
    }

    private static void setenv(String name, String value, boolean overwrite) throws Throwable {
      try (Arena arena = Arena.ofConfined()) {
        int ignored =
            (int)
                LINKER
                    .downcallHandle(
                        LINKER.defaultLookup().findOrThrow("setenv"),
                        FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.ADDRESS,
                            ValueLayout.ADDRESS,
                            ValueLayout.JAVA_INT))
                    .invokeExact(
                        arena.allocateFrom(name), arena.allocateFrom(value), overwrite ? 1 : 0);
      }
    }

    /** The addresses of the handlers of {@link #JAVA_SIGNALS}. */
    private static long[] signalHandlers() throws Throwable {
      long[] handlers = new long[JAVA_SIGNALS.length];
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment action = arena.allocate(SIGACTION_BYTES, Long.BYTES);
        for (int i = 0; i < handlers.length; i++) {
          int ignored =
              (int)
                  LINKER
                      .downcallHandle(
                          LINKER.defaultLookup().findOrThrow("sigaction"),
                          FunctionDescriptor.of(
                              ValueLayout.JAVA_INT,
                              ValueLayout.JAVA_INT,
                              ValueLayout.ADDRESS,
                              ValueLayout.ADDRESS))
                      .invokeExact(JAVA_SIGNALS[i], MemorySegment.NULL, action);
          handlers[i] = action.get(ValueLayout.JAVA_LONG, 0);
        }
      }
      return handlers;
    }
  }

  /** Why a version cannot be used; null when it can. */
  static @Nullable String wrongVersion(int major, int minor, String version) {
    if (major == MAJOR && minor >= MIN_MINOR) {
      return null;
    }
    return "UCX "
        + version
        + " is installed, but Moonpool needs 1."
        + MIN_MINOR
        + " or a newer 1.x: install that";
  }
}
