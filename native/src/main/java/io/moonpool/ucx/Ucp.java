package io.moonpool.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The functions of libucp as method handles. Handles of the library travel as longs. Initialised
 * only after {@link UcxLibrary#load} has succeeded.
 *
 * <p>A {@code ucs_status_t} is an enum of one byte: reading more of the register would read what
 * the library did not set. Structures are larger here than any version's, zeroed, and say in their
 * field mask what is filled in, which is how the library keeps them compatible.
 */
final class Ucp {
  static final int OK = 0;
  static final int IN_PROGRESS = 1;
  static final int ERR_UNREACHABLE = -6;
  static final int ERR_BUSY = -15;
  static final int ERR_CANCELED = -16;

  /** Pointers from here on are no pointers but a status. */
  private static final long FIRST_ERROR = -100;

  /** Room for any of the library's parameter structures. */
  static final long STRUCT_BYTES = 512;

  static final long FEATURE_RMA = 2;
  static final long FEATURE_WAKEUP = 16;

  private static final ValueLayout.OfByte STATUS = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfInt I = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong H = ValueLayout.JAVA_LONG;
  private static final java.lang.foreign.AddressLayout P = ValueLayout.ADDRESS;

  static final MethodHandle CONFIG_READ =
      bind("ucp_config_read", FunctionDescriptor.of(STATUS, P, P, P));
  static final MethodHandle CONFIG_MODIFY =
      bind("ucp_config_modify", FunctionDescriptor.of(STATUS, H, P, P));
  static final MethodHandle CONFIG_RELEASE =
      bind("ucp_config_release", FunctionDescriptor.ofVoid(H));
  static final MethodHandle INIT =
      bind("ucp_init_version", FunctionDescriptor.of(STATUS, I, I, P, H, P));
  static final MethodHandle CLEANUP = bind("ucp_cleanup", FunctionDescriptor.ofVoid(H));
  static final MethodHandle PRINT_INFO =
      bind("ucp_context_print_info", FunctionDescriptor.ofVoid(H, P));
  static final MethodHandle WORKER_CREATE =
      bind("ucp_worker_create", FunctionDescriptor.of(STATUS, H, P, P));
  static final MethodHandle WORKER_DESTROY =
      bind("ucp_worker_destroy", FunctionDescriptor.ofVoid(H));
  static final MethodHandle WORKER_ADDRESS =
      bind("ucp_worker_get_address", FunctionDescriptor.of(STATUS, H, P, P));
  static final MethodHandle WORKER_RELEASE_ADDRESS =
      bind("ucp_worker_release_address", FunctionDescriptor.ofVoid(H, H));
  static final MethodHandle WORKER_PROGRESS =
      bind("ucp_worker_progress", FunctionDescriptor.of(I, H));
  static final MethodHandle WORKER_EVENT_FD =
      bind("ucp_worker_get_efd", FunctionDescriptor.of(STATUS, H, P));
  static final MethodHandle WORKER_ARM = bind("ucp_worker_arm", FunctionDescriptor.of(STATUS, H));
  static final MethodHandle WORKER_SIGNAL =
      bind("ucp_worker_signal", FunctionDescriptor.of(STATUS, H));
  static final MethodHandle MEM_MAP = bind("ucp_mem_map", FunctionDescriptor.of(STATUS, H, P, P));
  static final MethodHandle MEM_UNMAP = bind("ucp_mem_unmap", FunctionDescriptor.of(STATUS, H, H));
  static final MethodHandle MEM_QUERY = bind("ucp_mem_query", FunctionDescriptor.of(STATUS, H, P));
  static final MethodHandle RKEY_PACK =
      bind("ucp_rkey_pack", FunctionDescriptor.of(STATUS, H, H, P, P));
  static final MethodHandle RKEY_BUFFER_RELEASE =
      bind("ucp_rkey_buffer_release", FunctionDescriptor.ofVoid(H));
  static final MethodHandle EP_CREATE =
      bind("ucp_ep_create", FunctionDescriptor.of(STATUS, H, P, P));
  static final MethodHandle EP_CLOSE = bind("ucp_ep_close_nbx", FunctionDescriptor.of(H, H, P));
  static final MethodHandle RKEY_UNPACK =
      bind("ucp_ep_rkey_unpack", FunctionDescriptor.of(STATUS, H, P, P));
  static final MethodHandle RKEY_DESTROY = bind("ucp_rkey_destroy", FunctionDescriptor.ofVoid(H));
  static final MethodHandle PUT = bind("ucp_put_nbx", FunctionDescriptor.of(H, H, H, H, H, H, P));
  static final MethodHandle GET = bind("ucp_get_nbx", FunctionDescriptor.of(H, H, H, H, H, H, P));
  static final MethodHandle FLUSH = bind("ucp_ep_flush_nbx", FunctionDescriptor.of(H, H, P));
  static final MethodHandle REQUEST_STATUS =
      bind("ucp_request_check_status", FunctionDescriptor.of(STATUS, H));
  static final MethodHandle REQUEST_FREE = bind("ucp_request_free", FunctionDescriptor.ofVoid(H));
  private static final MethodHandle STATUS_STRING =
      bind("ucs_status_string", FunctionDescriptor.of(P, STATUS));

  private Ucp() {}

  private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(UcxLibrary.symbol(name), descriptor);
  }

  /** Turns what a method handle throws into what it can only be: a bug. */
  static RuntimeException wrongSignature(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException known
        ? known
        : new IllegalStateException("a binding has the wrong signature", thrown);
  }

  /** A call of the library that answers with a status. */
  interface Call {
    byte run() throws Throwable;
  }

  /** Makes a call and returns its status. */
  static int status(Call call) {
    try {
      return call.run();
    } catch (Throwable t) {
      throw wrongSignature(t);
    }
  }

  /**
   * Makes a call that must succeed.
   *
   * @throws UcxException when it does not
   */
  static void require(String name, Call call) {
    int status = status(call);
    if (status < OK) {
      throw new UcxException(name, status);
    }
  }

  /** A call of the library that writes the address and the length of what it has made. */
  interface Packing {
    byte into(MemorySegment address, MemorySegment length) throws Throwable;
  }

  /** Gives back what the library has made at an address. */
  interface Release {
    void of(long address) throws Throwable;
  }

  /**
   * A copy of bytes that the library makes.
   *
   * @throws UcxException when it does not make them
   */
  static byte[] packed(String name, Packing packing, Release release) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
      require(name, () -> packing.into(address, length));
      long at = address.get(ValueLayout.JAVA_LONG, 0);
      byte[] bytes =
          MemorySegment.ofAddress(at)
              .reinterpret(length.get(ValueLayout.JAVA_LONG, 0))
              .toArray(ValueLayout.JAVA_BYTE);
      int ignored =
          status(
              () -> {
                release.of(at);
                return OK;
              });
      return bytes;
    }
  }

  /** True when what a call returned is a status instead of a request. */
  static boolean isError(long request) {
    return Long.compareUnsigned(request, FIRST_ERROR) >= 0;
  }

  /** What the library says about a status. */
  static String statusString(int status) {
    try {
      MemorySegment text = (MemorySegment) STATUS_STRING.invokeExact((byte) status);
      return text.reinterpret(256).getString(0) + " (" + status + ")";
    } catch (Throwable t) {
      throw wrongSignature(t);
    }
  }
}
