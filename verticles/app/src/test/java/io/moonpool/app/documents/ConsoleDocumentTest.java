package io.moonpool.app.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Pages are taken apart and put together without a loss. */
class ConsoleDocumentTest {
  private static final String PAGE =
      """
      # Page

      ```console
      $ one
      answer

      more
      $ two \\
      > lines
      ```

      ```
      $ shown only
      ```

      ```console terminal=master
      $ three
      ```
      End
      """;

  @Test
  void findsCommandsAnswersAndTerminals() {
    var steps = ConsoleDocument.parse(PAGE).steps();
    assertThat(steps)
        .containsExactly(
            new ConsoleDocument.Step(4, "", "one", "answer\n\nmore\n"),
            new ConsoleDocument.Step(8, "", "two \\\nlines", ""),
            new ConsoleDocument.Step(17, "master", "three", ""));
  }

  @Test
  void losesNothing() {
    assertThat(ConsoleDocument.text(ConsoleDocument.parse(PAGE).parts())).isEqualTo(PAGE);
    assertThat(ConsoleDocument.text(ConsoleDocument.parse("no block").parts()))
        .isEqualTo("no block");
  }

  @Test
  void refusesAnAnswerWithoutACommand() {
    assertThatThrownBy(() -> ConsoleDocument.parse("```console\nanswer\n```\n"))
        .hasMessageContaining("line 2");
  }
}
