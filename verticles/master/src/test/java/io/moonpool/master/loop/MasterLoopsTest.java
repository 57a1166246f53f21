package io.moonpool.master.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MasterLoopsTest {
  private static final int QUEUE_LIMIT = 16;

  private MasterLoops loops;

  @BeforeEach
  void build() {
    loops =
        MasterLoops.build("moonpool", 2, QUEUE_LIMIT, new VertxOptions(), UnaryOperator.identity());
  }

  @AfterEach
  void close() throws Exception {
    await(loops.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @Test
  void aVerticleRunsOnTheLoopItIsPlacedOnWhoeverDeploysIt() throws Exception {
    for (MasterLoop loop : loops.all()) {
      assertThat(await(deployRecorder(loop))).isEqualTo(loop.name());
    }
    // Deployed from a context of another loop, which must stay where it was.
    Promise<List<String>> seen = Promise.promise();
    Context caller = loops.vertx().getOrCreateContext();
    caller.runOnContext(
        ignored -> {
          String mine = Thread.currentThread().getName();
          deployRecorder(loops.control())
              .onSuccess(
                  theirs -> seen.complete(List.of(mine, theirs, Thread.currentThread().getName())));
        });
    List<String> names = await(seen.future());
    assertThat(names.get(0)).startsWith("moonpool-service-").isEqualTo(names.get(2));
    assertThat(names.get(1)).isEqualTo("moonpool-control");
  }

  private Future<String> deployRecorder(MasterLoop loop) {
    Promise<String> name = Promise.promise();
    return loops
        .deploy(
            loop,
            new VerticleBase() {
              @Override
              public Future<?> start() {
                name.complete(Thread.currentThread().getName());
                return Future.succeededFuture();
              }
            })
        .compose(ignored -> name.future());
  }

  @Test
  void nothingThatIsNotDeployedThereRunsOnTheHeartbeatLoop() throws Exception {
    Set<String> threads = ConcurrentHashMap.newKeySet();
    AtomicInteger sockets = new AtomicInteger();
    for (int i = 0; i < 8; i++) {
      await(
          loops
              .vertx()
              .deployVerticle(
                  new AbstractVerticle() {
                    @Override
                    public void start(Promise<Void> started) {
                      threads.add(Thread.currentThread().getName());
                      vertx.eventBus().localConsumer("test.any", message -> record(message.body()));
                      vertx.setTimer(1, id -> record(id));
                      vertx
                          .createNetServer()
                          .connectHandler(
                              socket -> {
                                record(socket);
                                sockets.incrementAndGet();
                                socket.write("x");
                              })
                          .listen(0, "127.0.0.1")
                          .compose(
                              server ->
                                  vertx
                                      .createNetClient()
                                      .connect(
                                          SocketAddress.inetSocketAddress(
                                              server.actualPort(), "127.0.0.1")))
                          .compose(AbstractVerticleRead::firstBytes)
                          .<Void>mapEmpty()
                          .onComplete(
                              done -> {
                                record(done);
                                started.handle(done);
                              });
                    }

                    private void record(Object any) {
                      threads.add(Thread.currentThread().getName());
                    }
                  }));
    }
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      callers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    CountDownLatch ran = new CountDownLatch(1);
                    loops
                        .vertx()
                        .getOrCreateContext()
                        .runOnContext(
                            ignored -> {
                              threads.add(Thread.currentThread().getName());
                              ran.countDown();
                            });
                    try {
                      ran.await();
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  }));
    }
    for (Thread caller : callers) {
      caller.join();
    }

    assertThat(sockets).hasValue(8);
    assertThat(threads).isNotEmpty().allMatch(name -> name.startsWith("moonpool-service-"));
  }

  private static final class AbstractVerticleRead {
    static Future<Void> firstBytes(NetSocket socket) {
      Promise<Void> read = Promise.promise();
      socket.handler(buffer -> read.complete());
      return read.future();
    }
  }

  @Test
  void theQueueRunsCommandsInOrderAndRefusesWhatIsTooMuch() throws Exception {
    MasterLoop loop = loops.metadata().getFirst();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch holding = new CountDownLatch(1);
    loop.eventLoop()
        .execute(
            () -> {
              holding.countDown();
              try {
                held.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    holding.await();
    List<Integer> ran = new ArrayList<>();
    for (int i = 0; i < QUEUE_LIMIT; i++) {
      int number = i;
      assertThat(loop.queue().offer(() -> ran.add(number))).isTrue();
    }

    assertThat(loop.queue().offer(() -> ran.add(-1))).isFalse();
    assertThat(loop.queue().refused()).isEqualTo(1);
    loop.queue().post(() -> ran.add(QUEUE_LIMIT));
    assertThat(loop.queue().depth()).isEqualTo(QUEUE_LIMIT + 1);
    CountDownLatch last = new CountDownLatch(1);
    loop.queue().post(last::countDown);
    held.countDown();
    last.await();

    assertThat(ran).hasSize(QUEUE_LIMIT + 1).isSorted().doesNotContain(-1);
    assertThat(loop.queue().offer(() -> {})).isTrue();
  }

  @Test
  void aCommandThatThrowsDoesNotStopTheOthers() throws Exception {
    LoopQueue queue = loops.control().queue();
    CountDownLatch next = new CountDownLatch(1);
    queue.post(
        () -> {
          throw new IllegalStateException("thrown by a test");
        });
    queue.post(next::countDown);
    assertThat(next.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void sweepsTakeTurnsAndPollSocketsBetweenSlices() throws Exception {
    MasterLoop loop = loops.metadata().getFirst();
    int sweeps = 24;
    long[] passes = new long[2];
    int[] mostStepsInAPass = new int[1];
    Promise<Void> all = Promise.promise();
    loop.queue()
        .post(
            () -> {
              passes[0] = loop.pass();
              long[] current = {-1, 0};
              List<Future<Void>> running = new ArrayList<>();
              for (int i = 0; i < sweeps; i++) {
                int[] left = {50};
                running.add(
                    loop.sweeps()
                        .start(
                            () -> {
                              current[1] = loop.pass() == current[0] ? current[1] + 1 : 1;
                              current[0] = loop.pass();
                              mostStepsInAPass[0] = Math.max(mostStepsInAPass[0], (int) current[1]);
                              burn(100_000);
                              return --left[0] > 0;
                            }));
              }
              Future.all(running)
                  .<Void>mapEmpty()
                  .onComplete(
                      done -> {
                        passes[1] = loop.pass();
                        all.handle(done);
                      });
            });
    await(all.future());

    // 1,200 steps of at least 0.1 ms of CPU time: at most 10 fit into a pass's millisecond.
    assertThat(mostStepsInAPass[0]).isLessThanOrEqualTo(11);
    assertThat(passes[1] - passes[0]).isGreaterThanOrEqualTo(sweeps * 50 / 11);
  }

  @Test
  void aFailingSweepFailsItsFutureAlone() throws Exception {
    MasterLoop loop = loops.metadata().getFirst();
    Promise<List<Boolean>> outcome = Promise.promise();
    loop.queue()
        .post(
            () -> {
              Future<Void> bad =
                  loop.sweeps()
                      .start(
                          () -> {
                            throw new IllegalStateException("thrown by a test");
                          });
              int[] left = {3};
              Future<Void> good = loop.sweeps().start(() -> --left[0] > 0);
              Future.join(bad, good)
                  .onComplete(done -> outcome.complete(List.of(bad.succeeded(), good.succeeded())));
            });
    assertThat(await(outcome.future())).containsExactly(false, true);
  }

  @Test
  void longHandlersAreCountedWhateverTheyAre() throws Exception {
    MasterLoop loop = loops.control();
    CountDownLatch done = new CountDownLatch(1);
    loop.eventLoop().execute(() -> burn(30_000_000));
    loop.eventLoop().execute(() -> burn(1_000_000));
    loop.eventLoop().execute(done::countDown);
    done.await();

    assertThat(loop.meter().longHandlers()).isEqualTo(1);
    assertThat(loop.meter().longestNanos()).isGreaterThanOrEqualTo(30_000_000);
  }

  @Test
  void aLongHandlerIsKnownByTheNameOfWhatItDid() throws Exception {
    MasterLoop loop = loops.control();
    await(longAndThen(loop, () -> loop.eventLoop().execute(new LongTask())));
    assertThat(loop.meter().longestName()).isEqualTo(LongTask.class.getName());

    loop.meter().reset();
    await(
        longAndThen(
            loop,
            () ->
                loop.call(
                    () -> {
                      burn(30_000_000);
                      return Future.succeededFuture();
                    })));
    assertThat(loop.meter().longestName()).startsWith(MasterLoopsTest.class.getName() + "$$Lambda");

    loop.meter().reset();
    await(
        longAndThen(
            loop, () -> loop.queue().post(() -> loop.sweeps().start(new LongSweep()).mapEmpty())));
    assertThat(loop.meter().longestName()).isEqualTo(LongSweep.class.getName());

    loop.meter().reset();
    Sweep atOnce = new ShortSweep();
    await(
        longAndThen(
            loop,
            () ->
                loop.queue()
                    .post(
                        () -> loop.sweeps().start(atOnce).onComplete(ended -> burn(30_000_000)))));
    assertThat(loop.meter().longestName()).isEqualTo("what follows " + ShortSweep.class.getName());
  }

  @Test
  void theLongestHandlersAreKnownOneOfEachName() throws Exception {
    MasterLoop loop = loops.control();
    CountDownLatch done = new CountDownLatch(1);
    for (long millis : new long[] {20, 40, 30}) {
      loop.eventLoop().execute(new LongTask(millis * 1_000_000));
    }
    loop.eventLoop().execute(() -> burn(25_000_000));
    loop.eventLoop().execute(() -> {});
    loop.eventLoop().execute(done::countDown);
    done.await();

    List<HandlerMeter.Longest> longest = loop.meter().longest();
    assertThat(longest.getFirst().name()).isEqualTo(LongTask.class.getName());
    assertThat(longest.getFirst().nanos()).isGreaterThanOrEqualTo(40_000_000);
    assertThat(longest.get(1).name()).startsWith(MasterLoopsTest.class.getName() + "$$Lambda");
    assertThat(longest).extracting(HandlerMeter.Longest::name).doesNotHaveDuplicates();
  }

  /** Starts something and completes when the loop has a handler above the limit behind it. */
  private Future<Void> longAndThen(MasterLoop loop, Runnable start) {
    Promise<Void> seen = Promise.promise();
    start.run();
    loops
        .vertx()
        .setPeriodic(
            1,
            timer -> {
              // Something behind it, so that the loop notices its end.
              loop.eventLoop().execute(() -> {});
              if (loop.meter().longHandlers() > 0 && loops.vertx().cancelTimer(timer)) {
                seen.complete();
              }
            });
    return seen.future();
  }

  private static final class LongTask implements Runnable {
    private final long nanos;

    LongTask() {
      this(30_000_000);
    }

    LongTask(long nanos) {
      this.nanos = nanos;
    }

    @Override
    public void run() {
      burn(nanos);
    }
  }

  private static final class ShortSweep implements Sweep {
    @Override
    public boolean step() {
      return false;
    }
  }

  private static final class LongSweep implements Sweep {
    @Override
    public boolean step() {
      burn(30_000_000);
      return false;
    }
  }

  /** Uses that much CPU time of the current thread, in nanoseconds. */
  private static void burn(long nanos) {
    var threads = java.lang.management.ManagementFactory.getThreadMXBean();
    long until = threads.getCurrentThreadCpuTime() + nanos;
    while (threads.getCurrentThreadCpuTime() < until) {
      Thread.onSpinWait();
    }
  }
}
