package io.moonpool.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An event loop copies itself for a part of its time only. */
class CopyTurnsTest {
  private static final long MEDIUM = 1 << 20;
  private static final long MILLI = 1_000_000;

  private final Vertx vertx = Vertx.vertx();
  private final CopyTurns turns = new CopyTurns();

  @AfterEach
  void close() throws Exception {
    vertx.close().await(10, TimeUnit.SECONDS);
  }

  private <T> T onLoop(Callable<T> work) throws Exception {
    Promise<T> promise = Promise.promise();
    vertx
        .getOrCreateContext()
        .runOnContext(
            here -> {
              try {
                promise.complete(work.call());
              } catch (Exception e) {
                promise.fail(e);
              }
            });
    return promise.future().await(10, TimeUnit.SECONDS);
  }

  @Test
  void aLoopCopiesForHalfOfEachMillisecond() throws Exception {
    List<Boolean> here =
        onLoop(
            () -> {
              List<Boolean> answers = new ArrayList<>();
              long now = Long.MAX_VALUE - MILLI; // the clock may overflow
              for (int i = 0; i < 4; i++) {
                answers.add(turns.isHere(MEDIUM, now));
                turns.made(MEDIUM, 200_000);
                now += 200_000;
              }
              answers.add(turns.isHere(1 << 10, now)); // small ones always
              answers.add(turns.isHere(MEDIUM, now + MILLI));
              answers.add(turns.isHere(MEDIUM + 1, now + 3 * MILLI));
              return answers;
            });

    assertThat(here).containsExactly(true, true, true, false, true, true, false);
  }

  @Test
  void otherThreadsCopyWhatTheyAreAskedFor() {
    turns.made(MEDIUM, 10 * MILLI);

    assertThat(turns.isHere(1L << 40, System.nanoTime())).isTrue();
  }
}
