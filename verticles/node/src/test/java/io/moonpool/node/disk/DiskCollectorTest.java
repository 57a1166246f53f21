package io.moonpool.node.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.storage.DamageListener;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One collection at a time, on the disk's workers. */
class DiskCollectorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private final Vertx vertx = Vertx.vertx();
  private final DiskWorkers workers = new DiskWorkers(vertx, 1, 1);

  @AfterEach
  void close() throws Exception {
    workers.close().toCompletionStage().toCompletableFuture().get();
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  private static boolean ended(DiskCollector collector) {
    DiskCollection present = collector.present();
    return present != null && !present.running();
  }

  @Test
  void aSecondOneIsRefusedUntilTheFirstHasEnded() {
    CountDownLatch busy = new CountDownLatch(1);
    try (DiskStorage disk = DiskStorage.open(DiskConfig.in(directory), DamageListener.NONE)) {
      DiskCollector collector = new DiskCollector(disk.store(), workers, 1 << 20);
      assertThat(collector.present()).isNull();
      workers.run(
          () -> {
            busy.await();
            return true;
          });

      assertThat(collector.start(0.5).succeeded()).isTrue();
      assertThat(collector.present()).isEqualTo(DiskCollection.begun(0.5));
      assertThat(StoreException.codeOf(collector.start(0.5).cause()))
          .isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);

      busy.countDown();
      Awaitility.await().atMost(PATIENCE).until(() -> ended(collector));
      assertThat(collector.present()).isEqualTo(DiskCollection.begun(0.5).ended(ErrorCode.OK, ""));
      assertThat(collector.start(1).succeeded()).isTrue();
      Awaitility.await().atMost(PATIENCE).until(() -> ended(collector));
    }
  }

  @Test
  void workersThatAreBusyEndIt() {
    CountDownLatch busy = new CountDownLatch(1);
    try (DiskStorage disk = DiskStorage.open(DiskConfig.in(directory), DamageListener.NONE)) {
      DiskCollector collector = new DiskCollector(disk.store(), workers, 1 << 20);
      for (int i = 0; i < 2; i++) { // one that runs, one that waits
        workers.run(
            () -> {
              busy.await();
              return true;
            });
      }

      assertThat(collector.start(0.5).succeeded()).isTrue();

      Awaitility.await().atMost(PATIENCE).until(() -> ended(collector));
      assertThat(collector.present().code()).isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
      busy.countDown();
    }
  }
}
