package io.moonpool.transfer;

import io.moonpool.ucx.UcxContext;
import io.moonpool.ucx.UcxLibrary;
import io.moonpool.ucx.UcxUnavailableException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A loop of UCX's shared memory that never spins, on a thread of its own. */
final class RunningLoop implements AutoCloseable {
  private static final long LIMIT_SECONDS = 20;

  private final UcxContext context;
  private final UcxLoop loop;
  private final Thread thread;

  /** Has a duty carried out; one that must know its loop before that runs is told it. */
  RunningLoop(UcxLoop.Duty duty) throws Exception {
    context = UcxContext.open(Map.of("TLS", "posix,self"));
    loop = new UcxLoop(context, Duration.ZERO, duty);
    if (duty instanceof UcxSegments segments) {
      segments.ranBy(loop);
    }
    thread = Thread.ofPlatform().start(loop::run);
    loop.started().await(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  /** Skips the test where UCX is not installed. */
  static void requireLibrary() {
    try {
      UcxLibrary.load();
    } catch (UcxUnavailableException e) {
      Assumptions.abort(e.getMessage());
    }
  }

  UcxContext context() {
    return context;
  }

  UcxLoop loop() {
    return loop;
  }

  @Override
  public void close() throws Exception {
    loop.stop().await(LIMIT_SECONDS, TimeUnit.SECONDS);
    thread.join();
    context.close();
  }
}
