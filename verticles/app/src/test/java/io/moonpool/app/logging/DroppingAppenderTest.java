package io.moonpool.app.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.AppenderBase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DroppingAppenderTest {
  private final LoggerContext context = new LoggerContext();
  private final Sink sink = new Sink();
  private final DroppingAppender appender =
      new DroppingAppender(4, sink, total -> event("dropped " + total));

  DroppingAppenderTest() {
    context.setMDCAdapter(new LogbackMDCAdapter());
    sink.start();
    appender.start();
  }

  @AfterEach
  void stop() {
    sink.open.countDown();
    appender.stop();
  }

  @Test
  void writesInOrder() {
    sink.open.countDown();
    appender.doAppend(event("a"));
    appender.doAppend(event("b"));
    await().until(() -> sink.lines.equals(List.of("a", "b")));
  }

  @Test
  void aBlockedSinkBlocksNobodyAndWhatWasDroppedIsCounted() {
    appender.doAppend(event("first"));
    // The writer holds the first event and is stuck in the sink.
    await().until(() -> sink.entered);
    for (int i = 0; i < 10; i++) {
      appender.doAppend(event("e" + i));
    }
    assertThat(appender.dropped()).isEqualTo(6);
    assertThat(sink.lines).isEmpty();

    sink.open.countDown();
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> sink.lines.equals(List.of("first", "e0", "e1", "e2", "e3", "dropped 6")));
  }

  @Test
  void stopWritesWhatIsQueued() {
    sink.open.countDown();
    for (int i = 0; i < 4; i++) {
      appender.doAppend(event("e" + i));
    }
    appender.stop();
    assertThat(sink.lines).containsExactly("e0", "e1", "e2", "e3");
  }

  private ILoggingEvent event(String message) {
    return new LoggingEvent(
        "fqcn", context.getLogger("test"), Level.INFO, message, null, new Object[0]);
  }

  private static final class Sink extends AppenderBase<ILoggingEvent> {
    final List<String> lines = new CopyOnWriteArrayList<>();
    final CountDownLatch open = new CountDownLatch(1);
    volatile boolean entered;

    @Override
    protected void append(ILoggingEvent event) {
      entered = true;
      try {
        open.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      lines.add(event.getFormattedMessage());
    }
  }
}
