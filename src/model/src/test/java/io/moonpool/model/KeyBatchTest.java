package io.moonpool.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyBatchTest {
  @Test
  void holdsWhatWasAddedInOrder() {
    Random random = new Random(7);
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      keys.add("ключ-" + "x".repeat(random.nextInt(200)) + i);
    }
    KeyBatch batch = KeyBatch.of(keys);
    assertThat(batch.asList()).isEqualTo(keys);
    assertThat(batch).isEqualTo(KeyBatch.of(keys)).hasSameHashCodeAs(KeyBatch.of(keys));
  }

  @Test
  void emptyKeysKeepTheirPlace() {
    KeyBatch batch = KeyBatch.of(List.of("", "a", ""));
    assertThat(batch.size()).isEqualTo(3);
    assertThat(batch.length(0)).isZero();
    assertThat(batch.text(1)).isEqualTo("a");
    assertThat(batch.length(2)).isZero();
  }
}
