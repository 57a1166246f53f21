package io.moonpool.master.metadata;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log how many objects of a loop wait to be copied to disks that could not take or
 * store them: when that begins, each {@value #AGAIN_MILLIS} ms while it goes on, and when it is
 * over. What is over within {@value #PATIENCE_MILLIS} ms is not worth a line.
 */
final class RetryLog {
  private static final Logger LOG = LoggerFactory.getLogger(RetryLog.class);
  private static final long PATIENCE_MILLIS = 2_000;
  private static final long AGAIN_MILLIS = 60_000;

  private final String loop;
  private boolean any;
  private boolean told;
  private long nextMillis;

  RetryLog(String loop) {
    this.loop = loop;
  }

  /** Looks; called every few milliseconds. */
  void look(long waiting, long nowMillis) {
    if (waiting == 0) {
      if (told) {
        LOG.info("{}: no object waits any more to be copied to a disk again", loop);
      }
      any = false;
      told = false;
    } else if (!any) {
      any = true;
      nextMillis = nowMillis + PATIENCE_MILLIS;
    } else if (nowMillis >= nextMillis) {
      told = true;
      nextMillis = nowMillis + AGAIN_MILLIS;
      LOG.warn(
          "{}: {} objects are in memory only, since their disks could not take or store them; they"
              + " are tried again",
          loop,
          waiting);
    }
  }
}
