package io.moonpool.app.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import org.junit.jupiter.api.Test;

/** Only the warning of the one gauge that is known to be no trouble is left out. */
class RepeatedGaugeFilterTest {
  private static final String WARNING =
      "This Gauge has been already registered (MeterId{name='%s', tags=[]}), the registration will"
          + " be ignored.";

  private static FilterReply decide(String logger, String gauge) {
    return new RepeatedGaugeFilter()
        .decide(
            new LoggingEvent(
                "",
                new LoggerContext().getLogger(logger),
                Level.WARN,
                WARNING.formatted(gauge),
                null,
                new Object[0]));
  }

  @Test
  void leavesOutOneGauge() {
    String micrometer = "io.micrometer.core.instrument.MeterRegistry";
    assertThat(decide(micrometer, "vertx.eventbus.handlers")).isEqualTo(FilterReply.DENY);
    assertThat(decide(micrometer, "moonpool.objects")).isEqualTo(FilterReply.NEUTRAL);
    assertThat(decide("io.moonpool.master.Master", "vertx.eventbus.handlers"))
        .isEqualTo(FilterReply.NEUTRAL);
  }
}
