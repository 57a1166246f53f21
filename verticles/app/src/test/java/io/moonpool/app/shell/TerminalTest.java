package io.moonpool.app.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalTest {
  @Test
  void coloursAreForTerminalsWhoseUserWantsThem() {
    assertThat(Terminal.hasColours(true, Map.of())).isTrue();
    assertThat(Terminal.hasColours(true, Map.of("TERM", "xterm", "NO_COLOR", ""))).isTrue();
    assertThat(Terminal.hasColours(false, Map.of())).isFalse();
    assertThat(Terminal.hasColours(true, Map.of("NO_COLOR", "1"))).isFalse();
    assertThat(Terminal.hasColours(true, Map.of("TERM", "dumb"))).isFalse();
  }

  @Test
  void theSizeIsWhatSttySays() {
    assertThat(Terminal.parse("50 132\n")).isEqualTo(new Terminal.Size(50, 132));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0 0\n", "stty: no terminal", "3 200", "24 1"})
  void aTerminalWithoutASizeIsAUsualOne(String answer) {
    assertThat(Terminal.parse(answer)).isEqualTo(new Terminal.Size(24, 100));
  }

  @Test
  void aToneIsSeenOnlyWhereColoursAre() {
    assertThat(Tone.BAD.of("gone", false)).isEqualTo("gone");
    assertThat(Tone.BAD.of("gone", true)).isEqualTo("\033[31mgone\033[0m");
    assertThat(Tone.PLAIN.of("there", true)).isEqualTo("there");
    assertThat(Tone.ofState("ACTIVE")).isEqualTo(Tone.GOOD);
    assertThat(Tone.ofState("suspected")).isEqualTo(Tone.WARNING);
    assertThat(Tone.ofState("failed")).isEqualTo(Tone.BAD);
  }
}
