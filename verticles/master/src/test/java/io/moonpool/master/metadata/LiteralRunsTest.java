package io.moonpool.master.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions of literals, on short keys as the JDK finds them, and on the longest key at all. */
class LiteralRunsTest {
  private static final int LONGEST_KEY = 65_535;

  @Test
  void findsWhatTheEngineFinds() {
    SplittableRandom random = new SplittableRandom(7);
    String[] pieces = {"a", "b", "ab", "aa", ".*", ".*?", "\\.", "."};
    int used = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder expression = new StringBuilder(random.nextInt(4) == 0 ? "^" : "");
      for (int n = random.nextInt(7); n > 0; n--) {
        expression.append(pieces[random.nextInt(pieces.length)]);
      }
      expression.append(random.nextInt(4) == 0 ? "$" : "");
      StringBuilder key = new StringBuilder();
      for (int n = random.nextInt(9); n > 0; n--) {
        key.append("aab.".charAt(random.nextInt(4)));
      }
      LiteralRuns runs = LiteralRuns.of(expression.toString());
      if (runs != null) {
        used++;
        assertThat(runs.isFoundIn(key.toString()))
            .as("'%s' in '%s'", expression, key)
            .isEqualTo(Pattern.compile(expression.toString()).matcher(key).find());
      }
    }
    assertThat(used).isGreaterThan(5_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a|b", "a+", "a?", "[a]", "(a)", "a{2}", "\\d", "a.b", "a.+b", "$a", "a.*+b"})
  void leavesOthersToTheEngine(String expression) {
    assertThat(LiteralRuns.of(expression)).isNull();
  }

  @Test
  void leavesKeysOfSeveralLinesToTheEngine() {
    assertThat(LiteralRuns.applies("a\nb")).isFalse();
    assertThat(LiteralRuns.applies("a\u2028b")).isFalse();
    assertThat(LiteralRuns.applies("a b")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {".*b", "a.*b", "a.*a.*a.*b", ".*aab$", "^a.*b.*c", "a.*?b", "aaaaaaaaaaaaaaaaab"})
  void aHarmlessExpressionIsNotTooMuchForTheLongestKey(String expression) {
    byte[] key = "a".repeat(LONGEST_KEY).getBytes(StandardCharsets.US_ASCII);
    KeyPattern pattern = KeyPattern.of(1, expression);
    assertThat(pattern.test(1, key, 0, key.length)).isFalse();
    assertThat(pattern.failure()).isNull();
    key[LONGEST_KEY - 1] = 'b';
    key[LONGEST_KEY - 2] = expression.startsWith("^") ? (byte) 'b' : (byte) 'a';
    boolean found = pattern.test(1, key, 0, key.length);
    assertThat(pattern.failure()).isNull();
    assertThat(found).isEqualTo(!expression.contains("c"));
  }

  @Test
  void whatBacktracksTooMuchNamesTheKey() {
    byte[] key = ("prompt/" + "a".repeat(LONGEST_KEY - 7)).getBytes(StandardCharsets.US_ASCII);
    KeyPattern pattern = KeyPattern.of(1, "[a-z]+b");
    assertThat(pattern.test(1, key, 0, key.length)).isFalse();
    assertThat(pattern.failure()).isNotNull().hasMessageContaining("begins with 'prompt/aaa");
  }
}
