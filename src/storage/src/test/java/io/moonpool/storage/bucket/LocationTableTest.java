package io.moonpool.storage.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LocationTableTest {
  @Test
  void isAMap() {
    for (long seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      LocationTable table = new LocationTable();
      Map<Long, Location> model = new HashMap<>();
      int range = 1 + random.nextInt(3000);
      for (int step = 0; step < 20_000; step++) {
        long version = (random.nextInt(range) << (seed % 3 * 10)) - 5;
        int bucket = random.nextInt(4);
        switch (random.nextInt(7)) {
          case 0, 1, 2 -> {
            Location location = location(random, bucket);
            table.put(version, location);
            model.put(version, location);
          }
          case 3, 4 -> {
            Location there = model.get(version);
            boolean removes = there != null && there.bucket() == bucket;
            assertThat(table.remove(version, bucket)).isEqualTo(removes ? there : null);
            if (removes) {
              model.remove(version);
            }
          }
          case 5 -> assertThat(table.get(version)).isEqualTo(model.get(version));
          default -> {
            if (random.nextInt(500) == 0) {
              table.removeBucket(bucket);
              model.values().removeIf(location -> location.bucket() == bucket);
            }
          }
        }
      }
      assertThat(table.size()).isEqualTo(model.size());
      model.forEach((version, location) -> assertThat(table.get(version)).isEqualTo(location));
    }
  }

  private static Location location(Random random, int bucket) {
    return new Location(
        bucket,
        random.nextLong(1L << 32) * 4096,
        random.nextLong(1L << 62),
        random.nextInt(),
        random.nextBoolean());
  }

  @Test
  void takesFewBytesForSequences() {
    LocationTable table = new LocationTable();
    for (int i = 0; i < 1_000_000; i++) {
      // As versions are made: a sequence times 1,024 plus a shard.
      long version = (77L << 40) + (i / 64) * 1024L + i % 64 * 16;
      table.put(version, new Location(1, 0, 1, 0, false));
    }
    assertThat(table.size()).isEqualTo(1_000_000);
    assertThat(table.heapBytes()).isLessThan(72_000_000);
  }
}
