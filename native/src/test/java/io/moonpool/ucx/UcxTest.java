package io.moonpool.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two workers of one process put and get, and everything is misused in every way. */
class UcxTest {
  private static final int MIB = 1 << 20;

  private final Arena arena = Arena.ofShared();
  private UcxContext context;
  private UcxWorker target;
  private UcxWorker origin;

  @BeforeEach
  void load() {
    try {
      UcxLibrary.load();
    } catch (UcxUnavailableException e) {
      Assumptions.abort(e.getMessage());
    }
  }

  @AfterEach
  void stop() {
    if (context != null) {
      origin.close();
      target.close();
      context.close();
    }
    arena.close();
  }

  private void open(String transports) throws UcxUnavailableException {
    context = UcxContext.open(Map.of("TLS", transports));
    target = context.newWorker();
    origin = context.newWorker();
  }

  private UcxEndpoint connect() {
    return origin.connect(target.address(), context.errorHandling());
  }

  private void finish(UcxRequest request) {
    await(request);
    assertThat(request.failure()).isNull();
  }

  private void await(UcxRequest request) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!request.poll()) {
      assertThat(System.nanoTime() - end).as("time left").isNegative();
      origin.progress();
      target.progress();
    }
  }

  private MemorySegment filled(long bytes, int seed) {
    MemorySegment memory = arena.allocate(bytes);
    for (long i = 0; i < bytes; i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + seed));
    }
    return memory;
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp,self", "posix,self"})
  void putsAndGetsBetweenTwoWorkers(String transports) throws Exception {
    open(transports);
    try (UcxMemory supplied = context.allocate(4 * MIB);
        UcxMemory registered = context.register(arena.allocate(4 * MIB, 4096))) {
      UcxEndpoint endpoint = connect();
      for (UcxMemory memory : new UcxMemory[] {supplied, registered}) {
        long address = memory.memory().address();
        UcxRemoteKey key = endpoint.unpack(memory.remoteKey(), address, 4 * MIB);
        assertThat(key.bytes()).isEqualTo(4 * MIB);
        for (int bytes : new int[] {1, 4097, MIB + 3}) {
          MemorySegment value = filled(bytes, bytes);
          finish(endpoint.put(value, key, 13));
          finish(endpoint.flush());
          assertThat(memory.memory().asSlice(13, bytes).mismatch(value)).isEqualTo(-1);
          MemorySegment read = arena.allocate(bytes);
          finish(endpoint.get(read, key, 13));
          assertThat(read.mismatch(value)).isEqualTo(-1);
        }
        key.close();
      }
      finish(endpoint.close());
    }
  }

  @Test
  void refusesRangesOutside() throws Exception {
    open("tcp,self");
    try (UcxMemory memory = context.allocate(100)) {
      UcxEndpoint endpoint = connect();
      UcxRemoteKey key = endpoint.unpack(memory.remoteKey(), memory.memory().address(), 100);
      MemorySegment ten = arena.allocate(10);
      for (long offset : new long[] {-1, 91, 100, Long.MAX_VALUE, Long.MIN_VALUE}) {
        assertThatThrownBy(() -> endpoint.put(ten, key, offset))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> endpoint.get(ten, key, offset))
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertThatThrownBy(() -> endpoint.put(MemorySegment.ofArray(new byte[10]), key, 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> endpoint.get(ten.asReadOnly(), key, 0))
          .isInstanceOf(IllegalArgumentException.class);
      MemorySegment freed;
      try (Arena gone = Arena.ofConfined()) {
        freed = gone.allocate(10);
      }
      assertThatThrownBy(() -> endpoint.put(freed, key, 0))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> context.allocate(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> context.register(MemorySegment.ofArray(new byte[10])))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void closesTwiceAndRefusesUseAfterClose() throws Exception {
    open("tcp,self");
    UcxMemory memory = context.allocate(MIB);
    byte[] packed = memory.remoteKey();
    long address = memory.memory().address();
    UcxEndpoint endpoint = connect();
    UcxRemoteKey key = endpoint.unpack(packed, address, MIB);
    MemorySegment ten = arena.allocate(10);
    finish(endpoint.put(ten, key, 0));
    finish(endpoint.flush());
    key.close();
    key.close();
    assertThatThrownBy(() -> endpoint.put(ten, key, 0)).isInstanceOf(IllegalStateException.class);
    UcxRemoteKey second = endpoint.unpack(packed, address, MIB);
    finish(endpoint.close());
    finish(endpoint.close());
    assertThatThrownBy(() -> endpoint.put(ten, second, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(endpoint::flush).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> endpoint.unpack(packed, address, MIB))
        .isInstanceOf(IllegalStateException.class);
    second.close();
    memory.close();
    memory.close();
    assertThatThrownBy(memory::remoteKey).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> memory.memory().get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
    context.close(); // Its workers go on.
    assertThatThrownBy(context::newWorker).isInstanceOf(IllegalStateException.class);
    origin.progress();
    origin.close();
    origin.close();
    assertThatThrownBy(origin::progress).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(origin::address).isInstanceOf(IllegalStateException.class);
    origin.signal();
    target.close();
    context.close();
    context.close();
    assertThatThrownBy(context::newWorker).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> context.allocate(10)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void endsRequestsWhoseWorkerIsClosed() throws Exception {
    open("tcp,self");
    try (UcxMemory memory = context.allocate(32 * MIB)) {
      UcxEndpoint endpoint = connect();
      UcxRemoteKey key = endpoint.unpack(memory.remoteKey(), memory.memory().address(), 32 * MIB);
      UcxRequest put = endpoint.put(arena.allocate(32 * MIB), key, 0);
      UcxRequest flush = endpoint.flush();
      assertThat(flush.poll()).isFalse(); // The target has not progressed.
      origin.close();
      assertThat(flush.poll()).isTrue();
      assertThat(flush.failure()).contains("cancel");
      assertThat(put.poll()).isTrue();
      assertThat(flush.poll()).isTrue();
      assertThatThrownBy(() -> endpoint.put(arena.allocate(10), key, 0))
          .isInstanceOf(IllegalStateException.class);
      finish(endpoint.close());
      key.close();
    }
  }

  @Test
  void takesReportsAboutEndpointsThatAreClosed() throws Exception {
    open("tcp,self");
    UcxEndpoint endpoint = connect();
    origin.onError(1, 0, (byte) -80);
    assertThat(endpoint.failure()).isNotNull();
    assertThatThrownBy(endpoint::flush).isInstanceOf(IllegalStateException.class);
    await(endpoint.close());
    assertThat(origin.endpoints()).isZero();
    assertThatCode(
            () -> {
              origin.onError(1, 0, (byte) -80);
              origin.onError(99, 0, (byte) -3);
              origin.onError(Long.MIN_VALUE, -1, (byte) 0);
            })
        .doesNotThrowAnyException();
  }

  @Test
  void noticesThatThePeerIsGone() throws Exception {
    open("tcp,self");
    try (UcxMemory memory = context.allocate(MIB)) {
      UcxEndpoint endpoint = connect();
      UcxRemoteKey key = endpoint.unpack(memory.remoteKey(), memory.memory().address(), MIB);
      finish(endpoint.put(arena.allocate(10), key, 0));
      finish(endpoint.flush());
      target.close();
      UcxRequest last = endpoint.put(arena.allocate(MIB), key, 0);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (endpoint.failure() == null) {
        assertThat(System.nanoTime() - end).as("time left").isNegative();
        origin.progress();
        last.poll();
      }
      UcxRequest close = endpoint.close();
      while (!close.poll() || !last.poll()) {
        assertThat(System.nanoTime() - end).as("time left").isNegative();
        origin.progress();
      }
    }
  }

  @Test
  void belongsToItsThread() throws Exception {
    open("tcp,self");
    Throwable[] thrown = new Throwable[1];
    Thread other =
        new Thread(
            () -> {
              try {
                origin.progress();
              } catch (IllegalStateException e) {
                thrown[0] = e;
              }
            });
    other.start();
    other.join(TimeUnit.SECONDS.toMillis(20));
    assertThat(thrown[0]).isNotNull();
  }

  @Test
  void isWokenBySignalsAndByPeers() throws Exception {
    open("tcp,self");
    while (origin.progress()) {
      // Until it has nothing to do.
    }
    Thread waker = new Thread(origin::signal);
    waker.start();
    long start = System.nanoTime();
    origin.await(20_000);
    waker.join(TimeUnit.SECONDS.toMillis(20));
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(15));
    // A time that is over is no error.
    while (origin.progress()) {
      // What the signal left.
    }
    origin.await(1);
  }

  @Test
  void leavesTheSignalsOfTheVirtualMachineAlone() throws Exception {
    open("tcp,self");
    int thrown = 0;
    // Compiled code checks for null with a fault that UCX must not handle.
    for (int i = 0; i < 200_000; i++) {
      try {
        thrown += length(i < 100_000 ? "" : null);
      } catch (NullPointerException e) {
        thrown++;
      }
    }
    assertThat(thrown).isEqualTo(100_000);
  }

  private static int length(String text) {
    return text.length();
  }

  @Test
  void saysWhatItHasAndWhatItDoesNotKnow() throws Exception {
    open("tcp,self");
    assertThat(context.resources()).anyMatch(name -> name.startsWith("tcp/"));
    assertThat(context.errorHandling()).isTrue();
    assertThatThrownBy(() -> UcxContext.open(Map.of("UNIFIED_MODE", "perhaps")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("UNIFIED_MODE=perhaps");
    try (UcxContext nothing = UcxContext.open(Map.of("TLS", "no_such_transport"))) {
      assertThat(nothing.resources()).allMatch(name -> name.startsWith("self/"));
    } catch (UcxException e) {
      assertThat(e.status()).isNegative();
    }
  }

  @Test
  void refusesVersionsThatItDoesNotKnow() throws Exception {
    assertThat(UcxLibrary.load().version()).startsWith("1.");
    assertThat(UcxLibrary.wrongVersion(1, 9, "1.9.0")).contains("1.9.0", "1.10");
    assertThat(UcxLibrary.wrongVersion(2, 0, "2.0.0")).contains("2.0.0");
    assertThat(UcxLibrary.wrongVersion(1, 10, "1.10.0")).isNull();
    assertThat(UcxLibrary.wrongVersion(1, 18, "1.18.0")).isNull();
  }
}
