package io.moonpool.app.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import io.moonpool.master.Rehearsal;

/**
 * Leaves out what a {@link Rehearsal} logs about nodes and troubles that it made up itself. Errors
 * are bugs there, too, and stay.
 */
final class RehearsalFilter extends Filter<ILoggingEvent> {
  private static final String LOOPS = Rehearsal.THREADS + "-";

  @Override
  public FilterReply decide(ILoggingEvent event) {
    return event.getThreadName().startsWith(LOOPS)
            && !event.getLevel().isGreaterOrEqual(Level.ERROR)
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}
