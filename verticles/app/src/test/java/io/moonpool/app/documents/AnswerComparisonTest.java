package io.moonpool.app.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as the same answer, and what does not. */
class AnswerComparisonTest {
  private static final String ONE = "11111111-1111-1111-1111-111111111111";
  private static final String TWO = "22222222-2222-2222-2222-222222222222";

  private final Bindings bindings = new Bindings(Map.of("9003", "41234"));
  private final AnswerComparison comparison = new AnswerComparison(bindings);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "key  4,731 bytes in 525.2 ms      | key  4,731 bytes in 3.1 ms",
        "moonpool 0.1.0-SNAPSHOT           | moonpool 2.0.1",
        "READY node http=9301 pid=17       | READY node http=40001 pid=99",
        "{\"a\": 1, \"b\": [1, 2]}         | {\"b\":[1,2],\"a\":1}",
        "{\"silent_ms\": 7}                | {\"silent_ms\": 1000}",
        "{\"silentMillis\": \"7\"}         | {}",
        "{\"version\": \"17\"}             | {\"version\": \"99\"}",
        "[{\"a\": 1}, {\"a\": 2}]          | [{\"a\": 2}, {\"a\": 1}]",
        "{\"at\": \"127.0.0.1:9003\"}      | {\"at\": \"127.0.0.1:41234\"}"
      })
  void theSame(String shown, String actual) {
    assertThat(comparison.difference(shown, actual)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "key  4,731 bytes in 525.2 ms      | key  4,732 bytes in 525.2 ms",
        "one                               | other",
        "one                               | ''",
        "''                                | one",
        "127.0.0.1                         | 127.0.0.2",
        "at 127.0.0.1:9003                 | at 127.0.0.1:9003",
        "{\"a\": 1}                        | {\"a\": 2}",
        "{\"a\": 1}                        | {\"a\": \"1\"}",
        "{\"a\": 1}                        | {\"a\": 1, \"b\": 1}",
        "{\"a\": 1}                        | {\"a\": null}",
        "{\"size\": \"17\"}                | {\"size\": \"99\"}",
        "[{\"a\": 1}, {\"a\": 2}]          | [{\"a\": 2}, {\"a\": 2}]",
        "[1, 2]                            | [2, 1]",
        "[1]                               | [1, 1]",
        "{\"a\": 1}                        | a: 1"
      })
  void notTheSame(String shown, String actual) {
    assertThat(comparison.difference(shown, actual)).isPresent();
  }

  @Test
  void anIdStandsForOneIdThroughout() {
    assertThat(comparison.difference("segment " + ONE, "segment " + TWO)).isEmpty();
    assertThat(comparison.difference("{\"id\":\"" + ONE + "\"}", "{\"id\":\"" + TWO + "\"}"))
        .isEmpty();
    assertThat(comparison.difference("{\"id\":\"" + ONE + "\"}", "{\"id\":\"" + ONE + "\"}"))
        .isPresent();
    assertThat(bindings.toActual("curl :9003/" + ONE + "/x"))
        .isEqualTo("curl :41234/" + TWO + "/x");
  }

  @Test
  void idsOfAnAnswerThatHasChangedAreBoundInOrder() {
    String shown = "{\"name\":\"a\",\"id\":\"" + ONE + "\"}";
    String actual = "{\"name\":\"a\",\"kind\":\"memory\",\"id\":\"" + TWO + "\"}";
    assertThat(comparison.difference(shown, actual)).isPresent();
    comparison.bindInOrder(shown, actual);
    assertThat(bindings.toActual(ONE)).isEqualTo(TWO);
    comparison.bindInOrder("id " + ONE, "id " + ONE);
    assertThat(bindings.toActual(ONE)).isEqualTo(TWO);
  }

  @Test
  void whatDoesNotFitBindsNothing() {
    String shown = "[{\"name\":\"a\",\"id\":\"" + ONE + "\"}]";
    assertThat(comparison.difference(shown, "[{\"name\":\"b\",\"id\":\"" + TWO + "\"}]"))
        .isPresent();
    assertThat(bindings.toActual(ONE)).isEqualTo(ONE);
  }
}
