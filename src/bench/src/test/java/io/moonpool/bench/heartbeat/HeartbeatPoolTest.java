package io.moonpool.bench.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.moonpool.model.KeyBatch;
import io.moonpool.model.SegmentSpec;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HeartbeatPoolTest {
  private final HeartbeatPool pool = new HeartbeatPool(10_007, 24, 4, 0.5);

  @Test
  void keysAreDifferentAndOfOneLength() {
    Set<String> keys = new HashSet<>();
    byte[] key = new byte[HeartbeatPool.KEY_BYTES];
    for (long number = 0; number < 50_000; number++) {
      HeartbeatPool.key(number, key);
      keys.add(new String(key, StandardCharsets.US_ASCII));
    }
    assertThat(keys).hasSize(50_000).allMatch(each -> each.matches("moonpool/\\S+kv-[0-9a-f]{16}"));
  }

  @Test
  void aBatchHasTheKeysOfItsNumbersInOrder() {
    byte[] key = new byte[HeartbeatPool.KEY_BYTES];
    KeyBatch batch = HeartbeatPool.batch(3, i -> 100 - i);
    assertThat(batch.size()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      HeartbeatPool.key(100 - i, key);
      assertThat(batch.text(i)).isEqualTo(new String(key, StandardCharsets.US_ASCII));
    }
  }

  @Test
  void eachKeyHasAClientAndASegmentThatHasRoomForIt() {
    long[][] counts = new long[24][4];
    for (long number = 0; number < pool.keys(); number++) {
      counts[pool.client(number)][pool.segment(number)]++;
    }
    for (int client = 0; client < 24; client++) {
      long sum = 0;
      for (int segment = 0; segment < 4; segment++) {
        SegmentSpec spec = pool.segments(client).get(segment);
        assertThat(counts[client][segment] * HeartbeatPool.OBJECT_BYTES).isLessThan(spec.size());
        sum += counts[client][segment];
      }
      assertThat(pool.keysOf(client)).isEqualTo(sum);
    }
    assertThat(IntStream.range(0, 24).mapToLong(pool::keysOf).sum()).isEqualTo(pool.keys());
  }

  @Test
  void nodeIdsLeadBackToTheirClients() {
    for (int client = 0; client < 24; client++) {
      assertThat(pool.clientOf(pool.nodeId(client))).isEqualTo(client);
    }
    assertThat(pool.clientOf(UUID.randomUUID())).isEqualTo(-1);
  }

  @Test
  void tooFewKeysAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new HeartbeatPool(3, 4, 1, 0.5));
    assertThatIllegalArgumentException().isThrownBy(() -> new HeartbeatPool(10, 4, 1, 1.5));
  }
}
