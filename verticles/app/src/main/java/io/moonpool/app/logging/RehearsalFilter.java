package io.moonpool.app.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import io.moonpool.master.Rehearsal;

/**
 * Leaves out what a {@link Rehearsal} logs about nodes and troubles that it made up itself.
 * Moonpool's errors are bugs there, too, and stay.
 */
final class RehearsalFilter extends Filter<ILoggingEvent> {
  private static final String LOOPS = Rehearsal.THREADS + "-";
  private static final String OWN = "io.moonpool.";

  @Override
  public FilterReply decide(ILoggingEvent event) {
    boolean isBug =
        event.getLevel().isGreaterOrEqual(Level.ERROR) && event.getLoggerName().startsWith(OWN);
    return event.getThreadName().startsWith(LOOPS) && !isBug
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}
