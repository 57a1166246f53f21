package io.moonpool.app.drain;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** Collects the log events of this JVM's nodes that have a name and fields. Any thread. */
final class TaskLog implements AutoCloseable {
  /** An object was moved from a node's disk. */
  static final String MOVED_FROM_DISK = "replica_move_local_disk_transfer_success";

  /** An object could not be loaded from a node's disk. */
  static final String LOAD_FAILED = "local_disk_load_failed";

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.moonpool.node.task");
  private final @Nullable Level before;
  private final List<Event> events = new CopyOnWriteArrayList<>();

  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          List<KeyValuePair> pairs = event.getKeyValuePairs();
          if (pairs != null) {
            events.add(
                new Event(
                    event.getMessage(),
                    pairs.stream()
                        .collect(
                            Collectors.toMap(pair -> pair.key, pair -> pair.value.toString()))));
          }
        }
      };

  /** An event and its fields. */
  record Event(String name, Map<String, String> fields) {}

  TaskLog() {
    // Commands that other tests of this JVM run set the level of everything.
    before = logger.getLevel();
    logger.setLevel(Level.INFO);
    appender.setContext(logger.getLoggerContext());
    appender.start();
    logger.addAppender(appender);
  }

  List<Event> named(String name) {
    return events.stream().filter(event -> event.name.equals(name)).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setLevel(before);
    appender.stop();
  }
}
