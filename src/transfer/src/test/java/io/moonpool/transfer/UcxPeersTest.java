package io.moonpool.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.ucx.UcxContext;
import io.moonpool.ucx.UcxMemory;
import io.moonpool.ucx.UcxWorker;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.vertx.core.Promise;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The loop never sleeps while it could start something: no event would wake it for that. */
class UcxPeersTest {
  private static final int MIB = 1 << 20;

  private final Arena arena = Arena.ofShared();
  private final EventLoop callers = new DefaultEventLoop();

  @BeforeEach
  void requireLibrary() {
    RunningLoop.requireLibrary();
  }

  @AfterEach
  void close() {
    callers.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
    arena.close();
  }

  @ParameterizedTest
  @CsvSource({"true,1,32", "false,1,32", "true,16,4", "false,16,4", "true,64,1", "false,300,1"})
  void turnsAreWantedUntilAllThatWaitedHasMoved(boolean put, int transfers, int mibEach)
      throws Exception {
    long bytes = (long) mibEach * MIB;
    try (UcxContext context = UcxContext.open(Map.of("TLS", "posix,self"));
        UcxMemory memory = context.allocate(bytes);
        UcxWorker owner = context.newWorker();
        UcxWorker asking = context.newWorker()) {
      UcxPeers peers = new UcxPeers(TransferConfig.client(), false);
      peers.opened(asking);
      UcxWindow window = open(peers, owner, memory);
      MemorySegment local = arena.allocate(bytes).fill((byte) 3);
      memory.memory().fill((byte) 5);
      AtomicInteger done = new AtomicInteger();
      List<Throwable> failures = new ArrayList<>();
      for (int i = 0; i < transfers; i++) {
        peers.submit(
            new UcxTransfer(
                put,
                local,
                window,
                0,
                Bed.soon(),
                callers,
                (nothing, failure) -> {
                  done.incrementAndGet();
                  if (failure != null) {
                    failures.add(failure);
                  }
                }));
      }

      turn(peers);

      // Whatever the callers are told by then, they are told after this.
      callers.submit(() -> {}).get(20, TimeUnit.SECONDS);
      assertThat(failures).isEmpty();
      assertThat(done).hasValue(transfers);
      assertThat(local.mismatch(memory.memory())).isEqualTo(-1);
      peers.ended();
    }
  }

  /** Takes turns as a loop that sleeps for ever as soon as it may. */
  private static void turn(UcxPeers peers) {
    while (peers.turn(System.nanoTime()) == UcxLoop.Duty.AGAIN) {
      // Copies within the machine need no progress.
    }
  }

  private UcxWindow open(UcxPeers peers, UcxWorker owner, UcxMemory memory) throws Exception {
    UUID id = UUID.randomUUID();
    MemorySegment bytes = memory.memory();
    UcxTicket ticket =
        new UcxTicket(7, owner.address(), bytes.address(), bytes.byteSize(), memory.remoteKey());
    UcxHandshake unsent =
        new UcxHandshake(new LoopScratch(), new TcpEndpoint("127.0.0.1", 1, 1), id, 1);
    Promise<UcxWindow> opened = Promise.promise();
    peers.open(id, ticket, unsent, callers, opened);
    turn(peers);
    return opened.future().await(20, TimeUnit.SECONDS);
  }

  @Test
  void theLoopDoesNotSleepBetweenTurnsThatWantAnother() throws Exception {
    // As many sleeps would take minutes.
    int wanted = 2_000;
    CountDownLatch turns = new CountDownLatch(wanted);
    UcxLoop.Duty duty =
        new IdleDuty() {
          @Override
          public int turn(long nowNanos) {
            turns.countDown();
            return turns.getCount() == 0 ? UcxLoop.MAX_SLEEP_MILLIS : AGAIN;
          }
        };
    try (RunningLoop _ = new RunningLoop(duty)) {
      assertThat(turns.await(20, TimeUnit.SECONDS)).as("all turns in time").isTrue();
    }
  }

  @Test
  void takesNothingBeforeItHasSeenThatItWasHeldUpWhereverThatWas() throws Exception {
    List<String> steps = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch turned = new CountDownLatch(1);
    UcxLoop.Duty duty =
        new IdleDuty() {
          @Override
          public int turn(long nowNanos) {
            steps.add("turn");
            if (steps.contains("held up")) {
              turned.countDown();
            }
            return UcxLoop.MAX_SLEEP_MILLIS;
          }

          @Override
          public void stalled() {
            steps.add("stalled");
          }
        };
    try (RunningLoop running = new RunningLoop(duty)) {
      // In the middle of a pass, before the worker is moved on.
      running
          .loop()
          .execute(
              () -> {
                LockSupport.parkNanos(UcxLoop.STALL_NANOS + TimeUnit.MILLISECONDS.toNanos(100));
                steps.add("held up");
              },
              () -> {});
      assertThat(turned.await(20, TimeUnit.SECONDS)).isTrue();
    }
    // Each turn follows the step of the worker in its pass.
    assertThat(steps.subList(steps.indexOf("held up"), steps.size()))
        .startsWith("held up", "stalled", "turn");
  }

  /** A duty with nothing to it. */
  private abstract static class IdleDuty implements UcxLoop.Duty {
    @Override
    public void opened(UcxWorker worker) {}

    @Override
    public void stalled() {}

    @Override
    public boolean stopping(long nowNanos) {
      return true;
    }

    @Override
    public void ended() {}
  }
}
