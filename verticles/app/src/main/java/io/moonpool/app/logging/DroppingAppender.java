package io.moonpool.app.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Hands log events to another appender on a thread of its own. A thread that logs never waits: the
 * queue is lock-free, and when it is full the event is dropped and counted. The count is logged
 * when there is room again.
 */
final class DroppingAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
  private static final long IDLE_NANOS = 100_000_000;
  private static final long CLOSE_MILLIS = 2_000;

  private final int capacity;
  private final Appender<ILoggingEvent> sink;
  private final DroppedNotice notice;
  private final ConcurrentLinkedQueue<ILoggingEvent> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger queued = new AtomicInteger();
  private final LongAdder dropped = new LongAdder();
  private final Thread writer;
  // True while the writer is about to park; a plain volatile flag is enough since the park is
  // timed.
  private volatile boolean idle;
  private volatile boolean closing;

  /**
   * An appender that is not started yet.
   *
   * @param capacity how many events may wait
   * @param sink writes events; called from one thread only
   * @param notice makes the event that tells how many were dropped
   */
  DroppingAppender(int capacity, Appender<ILoggingEvent> sink, DroppedNotice notice) {
    this.capacity = capacity;
    this.sink = sink;
    this.notice = notice;
    this.writer = new Thread(this::write, "moonpool-log");
    writer.setDaemon(true);
  }

  /** Makes a log event that says that events were dropped. */
  interface DroppedNotice {
    /**
     * The event.
     *
     * @param total how many events were dropped since the start
     */
    ILoggingEvent of(long total);
  }

  /** How many events were dropped since the start. Any thread. */
  long dropped() {
    return dropped.sum();
  }

  @Override
  public void start() {
    super.start();
    writer.start();
  }

  /** Writes what is queued, for at most two seconds. */
  @Override
  public void stop() {
    super.stop();
    closing = true;
    LockSupport.unpark(writer);
    try {
      writer.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (queued.incrementAndGet() > capacity) {
      queued.decrementAndGet();
      dropped.increment();
      return;
    }
    event.prepareForDeferredProcessing();
    queue.add(event);
    if (idle) {
      LockSupport.unpark(writer);
    }
  }

  private void write() {
    long noticed = 0;
    while (true) {
      @Nullable ILoggingEvent event = queue.poll();
      if (event != null) {
        queued.decrementAndGet();
        sink.doAppend(event);
        continue;
      }
      long total = dropped.sum();
      if (total > noticed) {
        noticed = total;
        sink.doAppend(notice.of(total));
      } else if (closing) {
        return;
      } else {
        idle = true;
        if (queue.isEmpty()) {
          LockSupport.parkNanos(this, IDLE_NANOS);
        }
        idle = false;
      }
    }
  }
}
