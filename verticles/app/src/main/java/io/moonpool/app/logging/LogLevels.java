package io.moonpool.app.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Appender;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** How much is logged, and what became of it. */
public final class LogLevels {
  /** Levels from the environment, separated by commas; flags come after them and win. */
  public static final String VARIABLE = "MOONPOOL_LOG_LEVEL";

  private LogLevels() {}

  /**
   * Sets the level of everything, then the levels named by the environment, then those given.
   *
   * @param usual the level where nobody asks for another one
   * @param levels each {@code LEVEL} for everything or {@code LOGGER=LEVEL}
   * @throws IllegalArgumentException naming the level that is none
   */
  public static void apply(String usual, List<String> levels) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    List<String> all = new ArrayList<>();
    all.add(usual);
    @Nullable String variable = System.getenv(VARIABLE);
    if (variable != null && !variable.isBlank()) {
      all.addAll(List.of(variable.split(",")));
    }
    all.addAll(levels);
    for (String entry : all) {
      int equals = entry.indexOf('=');
      String logger = equals < 0 ? Logger.ROOT_LOGGER_NAME : entry.substring(0, equals).strip();
      String text = entry.substring(equals + 1).strip();
      context.getLogger(logger).setLevel(level(text));
    }
  }

  /** How many log events were dropped, because stderr was too slow, since the process started. */
  public static long droppedEvents() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    Appender<?> appender =
        context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(LogConfigurator.APPENDER);
    return appender instanceof DroppingAppender dropping ? dropping.dropped() : 0;
  }

  /** Writes what is queued; nothing is logged afterwards. Call last. */
  public static void flush() {
    ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
  }

  private static Level level(String text) {
    Level level = Level.toLevel(text, null);
    if (level == null) {
      throw new IllegalArgumentException(
          "'" + text + "' is no level; allowed are error, warn, info, debug, trace and off");
    }
    return level;
  }
}
