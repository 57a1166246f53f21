package io.moonpool.gateway.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.Checksum;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.ReplicaSource;
import io.moonpool.protocol.call.ReplicaTask;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is under way, and for how long that is remembered. */
class TransfersTest {
  private static final long GRANT_MILLIS = 600_000;
  private static final long KEPT_MILLIS = GRANT_MILLIS + 60_000;
  private static final int MANY = 1_024;
  private static final UUID CLIENT = UUID.randomUUID();

  private final AtomicLong nowMillis = new AtomicLong(7);
  private final Transfers transfers = new Transfers(GRANT_MILLIS, nowMillis::get);

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  private UUID begin(String key) {
    UUID task = UUID.randomUUID();
    DiskObject object =
        new DiskObject("", bytes(key), 1, 100, Checksum.NONE, ObjectDataType.UNKNOWN, false, "");
    transfers.begin(
        CLIENT,
        new ReplicaTask(
            task,
            TaskType.REPLICA_MOVE,
            false,
            object,
            new ReplicaSource(ReplicaType.MEMORY, 1, 0),
            List.of(),
            GRANT_MILLIS),
        true);
    return task;
  }

  private void beginMany() {
    for (int i = 0; i < MANY; i++) {
      begin("k" + i);
    }
  }

  private boolean isKnown(String key) {
    return transfers.find(CLIENT, "default", bytes(key)) != null;
  }

  @Test
  void whatIsNeverEndedIsForgottenWhenThereIsMuch() {
    beginMany();
    nowMillis.addAndGet(KEPT_MILLIS);
    begin("late");
    assertThat(isKnown("k0")).isTrue();
    nowMillis.addAndGet(1_000);
    begin("later");
    assertThat(isKnown("k0")).isFalse();
    assertThat(isKnown("k" + (MANY - 1))).isFalse();
    assertThat(isKnown("late")).isTrue();
    assertThat(isKnown("later")).isTrue();
  }

  @Test
  void aFewAreNotForgotten() {
    begin("k0");
    nowMillis.addAndGet(10 * KEPT_MILLIS);
    begin("late");
    assertThat(isKnown("k0")).isTrue();
  }

  @Test
  void aTaskEndsOnceAndForItsClientOnly() {
    UUID task = begin("k0");
    assertThat(transfers.endTask(UUID.randomUUID(), task)).isFalse();
    assertThat(transfers.endTask(CLIENT, task)).isTrue();
    assertThat(isKnown("k0")).isFalse();
    assertThat(transfers.endTask(CLIENT, task)).isFalse();
  }
}
