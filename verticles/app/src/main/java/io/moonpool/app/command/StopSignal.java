package io.moonpool.app.command;

import io.moonpool.app.logging.LogLevels;
import io.moonpool.app.shell.ExitCode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns SIGTERM, SIGINT or the end of stdin into an orderly end of a server: the process closes
 * what it started and ends with the exit code that closing gave, not with the signal's.
 *
 * <p>The main thread waits in {@link #requested} and reports with {@link #finished}; a shutdown
 * hook waits for that report, for a limited time.
 */
final class StopSignal {
  private static final Logger LOG = LoggerFactory.getLogger(StopSignal.class);

  private final Duration limit;
  private final CompletableFuture<Void> requested = new CompletableFuture<>();
  private final CountDownLatch finished = new CountDownLatch(1);
  private final AtomicInteger exitCode = new AtomicInteger();

  private StopSignal(Duration limit) {
    this.limit = limit;
  }

  /**
   * Starts to listen for signals.
   *
   * @param limit how long closing may take after one
   */
  static StopSignal install(Duration limit) {
    StopSignal signal = new StopSignal(limit);
    Runtime.getRuntime().addShutdownHook(new Thread(signal::endProcess, "moonpool-stop"));
    return signal;
  }

  /** Also stops when stdin ends: a parent that dies, however it dies, takes its child with it. */
  void watchStdin() {
    Thread.ofPlatform()
        .daemon()
        .name("moonpool-stdin")
        .start(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // What arrives does not matter, only its end does.
                }
              } catch (IOException e) {
                LOG.debug("stdin broke off", e);
              }
              requested.complete(null);
            });
  }

  /** Completes when the process is asked to stop. */
  CompletableFuture<Void> requested() {
    return requested;
  }

  /** The main thread has closed everything, or never got so far; the process may end. */
  void finished(int code) {
    exitCode.set(code);
    finished.countDown();
  }

  private void endProcess() {
    requested.complete(null);
    try {
      if (!finished.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.error("closing takes more than {} s: giving up", limit.toSeconds());
        exitCode.set(ExitCode.FAILED.number());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    LogLevels.flush();
    // Else the JVM would answer a signal with 128 plus its number, however orderly the end was.
    Runtime.getRuntime().halt(exitCode.get());
  }
}
