package io.moonpool.app.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/troubleshooting.md} leaves out no alert and no error code. */
class TroubleshootingPageTest {
  private static final Pattern ALERT = Pattern.compile("(?m)^\\s*- alert: (\\w+)");

  private static String text(String file) throws IOException {
    return Files.readString(Pages.ROOT.resolve(file));
  }

  private static String section(String text, String heading) {
    int from = text.indexOf("\n## " + heading + "\n");
    assertThat(from).as(heading).isPositive();
    int next = text.indexOf("\n## ", from + 1);
    return text.substring(from, next < 0 ? text.length() : next);
  }

  @Test
  void eachErrorCodeHasACauseAndACure() throws IOException {
    String codes = section(text("docs/troubleshooting.md"), "Error codes");
    List<String> first =
        codes
            .lines()
            .filter(line -> line.startsWith("| "))
            .map(line -> line.split("\\|", -1)[1])
            .toList();
    List<String> missing =
        Arrays.stream(ErrorCode.values())
            .filter(code -> code != ErrorCode.OK)
            .map(code -> "`" + code.name() + "`")
            .filter(name -> first.stream().noneMatch(cell -> cell.contains(name)))
            .toList();
    assertThat(missing).isEmpty();
  }

  @Test
  void eachAlertIsThereAndLeadsToWhatToDo() throws IOException {
    String alerts = section(text("docs/troubleshooting.md"), "Alerts");
    List<String> names =
        ALERT
            .matcher(text("conf/monitoring/alerts.yaml"))
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(names).hasSizeGreaterThan(30);
    for (String name : names) {
      assertThat(alerts)
          .contains("| [" + name + "](operations.md#" + name.toLowerCase(Locale.ROOT) + ") |");
    }
  }
}
