package io.moonpool.master;

import io.moonpool.libc.LibcException;
import io.moonpool.libc.ThreadScheduling;
import io.moonpool.master.admin.AdminInterface;
import io.moonpool.master.admin.metrics.MasterMetrics;
import io.moonpool.master.bus.BusInterface;
import io.moonpool.master.grpc.GrpcInterface;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VertxOptions;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what a master does once, at a second master of this process that nobody else knows of.
 *
 * <p>The first time that a handler runs, the JVM loads and links the classes and lambdas that it
 * needs, in the thread that runs it: 10 to 100 ms of an event loop for the first connection, the
 * first scrape, the first node that goes OFFLINE. A rehearsal has all that happen on loops where
 * nobody waits, at a low priority. It goes on beside the real master; what that one does first
 * meanwhile is as slow as ever.
 *
 * <p>Any thread may call.
 */
public final class Rehearsal {
  /** What the names of the threads of a rehearsal's loops begin with. */
  public static final String THREADS = "rehearsal";

  private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);
  private static final long STEP_LIMIT_SECONDS = 60;

  /** What the kernel gives others precedence by; the threads of the second master inherit it. */
  private static final int NICE = 10;

  private static final int MOST_METADATA_LOOPS = 2;

  /**
   * Writes that are never ended are rehearsed too. A drain waits until they are given up, and what
   * follows waits for the drain.
   */
  private static final long WRITE_GRANT_MILLIS = 2_000;

  /**
   * Nodes are given up fast, since that is rehearsed too; but not while a loop that pings for them
   * loads classes, on a machine that is busy.
   */
  private static final long ACTIVE_TTL_MILLIS = 4_000;

  private static final long SUSPICION_TTL_MILLIS = 1_000;

  private Rehearsal() {}

  /**
   * Rehearses for a master of that configuration, with TLS when that has it.
   *
   * @return completes when nothing of the second master is left; never fails, since all that a
   *     failed rehearsal costs is time later
   */
  public static Future<Void> run(MasterConfig config) {
    Promise<Void> over = Promise.promise();
    Thread.ofPlatform()
        .daemon()
        .name("moonpool-rehearsal")
        .start(
            () -> {
              perform(config);
              over.complete();
            });
    return over.future();
  }

  private static void perform(MasterConfig config) {
    long startedNanos = System.nanoTime();
    try {
      giveWay();
      play(config);
      LOG.info("rehearsed every call in {} ms", (System.nanoTime() - startedNanos) / 1_000_000);
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      LOG.warn("the rehearsal failed, so first requests take longer: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void giveWay() {
    try {
      ThreadScheduling.ofCurrentThread().withNice(NICE).applyToCurrentThread();
    } catch (LibcException | UnsupportedOperationException e) {
      LOG.debug("the rehearsal runs at the priority of everything else", e);
    }
  }

  /** Plays it all; answers what the second master counted. */
  static MasterStats.Snapshot play(MasterConfig config)
      throws InterruptedException, ExecutionException, TimeoutException {
    MasterConfig small =
        MasterConfig.builder()
            .ephemeral()
            .clusterId(THREADS)
            .metadataLoops(
                Math.min(
                    MOST_METADATA_LOOPS,
                    config.metadataLoopsFor(Runtime.getRuntime().availableProcessors())))
            .clientActiveTtlMillis(ACTIVE_TTL_MILLIS)
            .clientSuspicionTtlMillis(SUSPICION_TTL_MILLIS)
            .clockSkewMillis(1)
            .leaseTtlMillis(1)
            .writeGrantMillis(WRITE_GRANT_MILLIS)
            .putSpaceWaitMillis(20)
            .allocationStrategy(config.allocationStrategy())
            .heartbeatSliceMicros(0)
            .tlsCert(config.tlsCert())
            .tlsKey(config.tlsKey())
            .build();
    MasterMetrics metrics = new MasterMetrics();
    Master master =
        await(
            Master.start(
                small,
                metrics.configure(new VertxOptions()),
                metrics::addTo,
                List.of(new AdminInterface(metrics), new GrpcInterface(), new BusInterface()),
                THREADS));
    try {
      RehearsedCalls calls = new RehearsedCalls(master, small.tls());
      calls.playNodes();
      calls.playObjects();
      calls.playEvictions();
      RehearsedInterfaces interfaces = new RehearsedInterfaces(master, small.tls());
      interfaces.play(calls.nodeId(), calls.segmentId());
      calls.playMovable();
      interfaces.playDrain(calls.segmentId());
      calls.playMoves();
      calls.playEnds();
      calls.close();
      return master.stats().snapshot();
    } finally {
      await(master.close());
    }
  }

  static <T> T await(Future<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future
        .toCompletionStage()
        .toCompletableFuture()
        .get(STEP_LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  /** Waits for something that may fail: failures are rehearsed too. */
  static void awaitEnd(Future<?> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    await(future.transform(ended -> Future.succeededFuture()));
  }
}
