package io.moonpool.app.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Configures logback: plain lines to stderr, written by one thread through a {@link
 * DroppingAppender}. Logback finds this class as a service, before the first logger is made.
 */
public final class LogConfigurator extends ContextAwareBase implements Configurator {
  static final String APPENDER = "stderr";
  private static final int QUEUE_CAPACITY = 8_192;
  private static final String PATTERN =
      "%d{HH:mm:ss.SSS} %-5level [%thread] %logger{0}: %msg%replace( %kvp){'^ $', ''}%n";

  /** Called by logback's service loader. */
  public LogConfigurator() {}

  @Override
  public ExecutionStatus configure(LoggerContext loggerContext) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(loggerContext);
    encoder.setPattern(PATTERN);
    encoder.start();

    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(loggerContext);
    console.setName("console");
    console.setTarget("System.err");
    console.setEncoder(encoder);
    console.start();

    Logger own = loggerContext.getLogger(LogConfigurator.class);
    DroppingAppender appender =
        new DroppingAppender(
            QUEUE_CAPACITY,
            console,
            total ->
                new LoggingEvent(
                    Logger.FQCN,
                    own,
                    Level.WARN,
                    "{} log events were dropped since the start: they came faster than stderr takes"
                        + " them",
                    null,
                    new Object[] {total}));
    appender.setContext(loggerContext);
    appender.setName(APPENDER);
    appender.addFilter(new RehearsalFilter());
    appender.addFilter(new RepeatedGaugeFilter());
    appender.start();

    Logger root = loggerContext.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    root.setLevel(Level.INFO);
    // Their INFO lines tell about themselves, not about the cluster.
    loggerContext.getLogger("io.netty").setLevel(Level.WARN);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
