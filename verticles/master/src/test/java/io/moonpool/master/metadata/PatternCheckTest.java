package io.moonpool.master.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which regular expressions may run on loops. */
class PatternCheckTest {
  private static KeyPattern pattern(String expression) {
    return KeyPattern.of(1, expression);
  }

  private static boolean isFoundIn(String expression, String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return pattern(expression).test(1, bytes, 0, bytes.length);
  }

  private static void assertRefused(String expression) {
    assertThatThrownBy(() -> pattern(expression))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PARAMS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prompt/7f",
        "^prompt/7f-12$",
        "^prompt/.*-1?2$",
        "t/[0-9a-f]{2,8}-12$",
        "^(chat|prompt|batch)/",
        "^(?:chat|prompt)/(?<model>[^/]+)-(\\d+)$",
        "^(?!chat/)(?=.*7f)",
        "(?i)PROMPT",
        "(?i:PROMPT)/7f",
        "^(chat/)?(prompt/)?(7f)?(-12)?",
        "^(?:[a-z]+/)*7f(?:-[0-9]+)*$",
        "^\\Qprompt/\\E",
        "^\\x70\\x{72}\\p{Alpha}\\pL+\\b.[\\w\\-]{5}$",
        "^prompt\\Q/\\E{1}",
        "^[^\\]\\[]+$",
        "(p)rom\\1",
        "(\\w*/)?7f",
        "^(a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q)",
      })
  void whatPeopleWriteMayRun(String expression) {
    assertThat(isFoundIn(expression, "prompt/7f-12")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(?:^){2000000000}x",
        "\\z(?:a?){2000000000}",
        "(){2000000000}",
        "{2000000000}",
        "a{2}{2000000000}",
        "\\b{2000000000}",
        "(a){0}{2000000000}",
        "(?:(?=a)){2000000000}",
        "(?:(a*){1000}){1000}",
        "(?:(?:x{0}){1000}){1000}",
        "(?:a?){1\\Q\\E000}",
        "\\z\\Q\\E(?:|b){\\Q\\E1000}",
        "[\\Q]\\E](?:){1000}",
        "\\c\\(?:){1000}",
        "\\01(?:\\k<a>|(?<a>b)){1000}",
      })
  void whatCountsWithoutReadingIsRefused(String expression) {
    assertRefused(expression);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(|)", "(?:|a)?", "(?:a?|b?)", "(?>|)", "(?=a|b|)?", "$?", "(?:\\1)*()"})
  void whatHasManyWaysToBeEmptyIsRefused(String part) {
    assertRefused("\\z" + part.repeat(40) + "x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(?x)a{1 000 000}",
        "(?i-x:a)",
        "(?\\Qx\\E)a",
        "(?<=a)b",
        "(?<!a)b",
        "[a[b]]",
        "[]a]",
        "[^]a]",
        "[a&&b]"
      })
  void syntaxThatIsNotUnderstoodIsRefused(String expression) {
    assertRefused(expression);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "prompt/{7f}[0]", "\\E", "a\\Eb\\Qc", "(?x)", "\\", "ü€/😀"})
  void whatIsQuotedMayRun(String key) {
    assertThat(isFoundIn("^" + Pattern.quote(key) + "$", key)).isTrue();
  }
}
