package io.moonpool.app.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;

/**
 * Leaves out the warning that a gauge of Vert.x is registered again. It does so for every address
 * of the event bus, with the same counter behind it, so nothing is lost; of other gauges the
 * warning is true.
 */
final class RepeatedGaugeFilter extends Filter<ILoggingEvent> {
  private static final String MICROMETER = "io.micrometer.";
  private static final String GAUGE = "'vertx.eventbus.handlers'";

  @Override
  public FilterReply decide(ILoggingEvent event) {
    return event.getLoggerName().startsWith(MICROMETER)
            && event.getFormattedMessage().contains(GAUGE)
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}
