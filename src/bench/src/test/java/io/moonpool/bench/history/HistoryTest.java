package io.moonpool.bench.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.bench.history.Operation.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final List<Operation> GOOD =
      List.of(
          new Operation(0, Kind.WRITE, 1, 0, 10, true),
          new Operation(1, Kind.READ, 1, 12, 14, true),
          new Operation(0, Kind.WRITE, 2, 20, 30, true),
          new Operation(1, Kind.READ, 2, 32, 34, true));

  @Test
  void plantedStaleReadIsFound() {
    History history = new History(Map.of("a", GOOD, "b", GOOD), Map.of(), List.of());
    assertThat(history.violations()).isEmpty();
    assertThat(history.withPlantedStaleRead().orElseThrow().violations()).hasSize(1);
  }

  @Test
  void corruptValuesAreViolations() {
    History history = new History(Map.of("a", GOOD), Map.of(), List.of("a: wrong"));
    assertThat(history.violations()).containsExactly("a: wrong");
  }

  @Test
  void nothingToPlantInAHistoryWithoutReplacedValues() {
    History history = new History(Map.of("a", GOOD.subList(0, 2)), Map.of(), List.of());
    assertThat(history.withPlantedStaleRead()).isEmpty();
  }
}
