package io.moonpool.app.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import org.junit.jupiter.api.Test;

class RehearsalFilterTest {
  private static FilterReply decide(String thread, Level level) {
    return decide(thread, level, "io.moonpool.master.Something");
  }

  private static FilterReply decide(String thread, Level level, String logger) {
    LoggingEvent event =
        new LoggingEvent(
            "", new LoggerContext().getLogger(logger), level, "a message", null, new Object[0]);
    event.setThreadName(thread);
    return new RehearsalFilter().decide(event);
  }

  @Test
  void leavesOutWhatIsOnlyPlayed() {
    assertThat(decide("rehearsal-control", Level.INFO)).isEqualTo(FilterReply.DENY);
    assertThat(decide("rehearsal-metadata-1", Level.WARN)).isEqualTo(FilterReply.DENY);
    assertThat(decide("rehearsal-service-0", Level.ERROR, "io.vertx.core.Something"))
        .isEqualTo(FilterReply.DENY);
  }

  @Test
  void keepsBugsAndTheRealMaster() {
    assertThat(decide("rehearsal-control", Level.ERROR)).isEqualTo(FilterReply.NEUTRAL);
    assertThat(decide("moonpool-control", Level.INFO)).isEqualTo(FilterReply.NEUTRAL);
    assertThat(decide("moonpool-rehearsal", Level.WARN)).isEqualTo(FilterReply.NEUTRAL);
  }
}
