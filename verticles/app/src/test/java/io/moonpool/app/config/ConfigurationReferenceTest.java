package io.moonpool.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.config.SettingInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keeps the configuration reference and the files in {@code conf/} equal to the settings'
 * descriptions in the code. To rewrite them after a change of settings: {@code ./mvnw -pl
 * verticles/app -am test -Dtest=ConfigurationReferenceTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dmoonpool.reference=write}.
 */
class ConfigurationReferenceTest {
  private static final Path ROOT = Path.of(System.getProperty("moonpool.root"));
  private static final boolean WRITE = "write".equals(System.getProperty("moonpool.reference"));
  private static final int WIDTH = 100;

  static List<Component<?>> components() {
    return List.of(Component.MASTER, Component.NODE);
  }

  @ParameterizedTest
  @MethodSource("components")
  void theReferenceHoldsEverySetting(Component<?> component) throws IOException {
    Path file = ROOT.resolve("docs/configuration.md");
    String text = Files.readString(file);
    String begin = "<!-- begin generated: " + component.name() + " -->\n";
    String end = "<!-- end generated: " + component.name() + " -->";
    int from = text.indexOf(begin) + begin.length();
    int to = text.indexOf(end);
    assertThat(text).contains(begin, end);
    String expected = text.substring(0, from) + table(component) + text.substring(to);
    if (WRITE) {
      Files.writeString(file, expected);
    }
    assertThat(Files.readString(file)).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("components")
  void theConfigurationFileHoldsEverySetting(Component<?> component) throws IOException {
    Path file = ROOT.resolve("conf").resolve(component.name() + ".yaml");
    String expected = yaml(component);
    if (WRITE) {
      Files.writeString(file, expected);
    }
    assertThat(Files.readString(file)).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("components")
  void theConfigurationFileWithItsCommentsRemovedMeansTheDefaults(Component<?> component)
      throws IOException {
    String active =
        Files.readString(ROOT.resolve("conf").resolve(component.name() + ".yaml"))
            .replaceAll("(?m)^#([a-z_]+:)", "$1");
    List<GivenSetting> given = SettingsFile.parse(active, "conf");
    assertThat(given).hasSameSizeAs(component.settings());
    assertThat(read(component, given)).isEqualTo(component.read().apply(Map.of()));
  }

  private static Record read(Component<?> component, List<GivenSetting> given) {
    return Settings.load(component, null, Path.of("none"), Map.of(), given).config();
  }

  private static String table(Component<?> component) {
    StringBuilder text = new StringBuilder();
    text.append("| setting | holds | default | meaning |\n|---|---|---|---|\n");
    for (SettingInfo setting : component.settings()) {
      text.append("| `").append(setting.name()).append("` | ").append(setting.type());
      text.append(setting.secret() ? ", secret" : "").append(" | ");
      text.append(setting.defaultValue().isEmpty() ? "" : "`" + setting.defaultValue() + "`");
      text.append(" | ").append(setting.description().replace("|", "\\|")).append(" |\n");
    }
    return text.toString();
  }

  private static String yaml(Component<?> component) {
    StringBuilder text = new StringBuilder();
    text.append("# Settings of a ").append(component.name());
    text.append(". Every setting is here with its default; remove the '#' before one\n");
    text.append("# and change it. The environment (");
    text.append(component.variablePrefix());
    text.append(component.settings().getFirst().name().toUpperCase(Locale.ROOT));
    text.append(" and so on) and flags win over this file.\n");
    text.append("# 'moonpool ").append(component.name());
    text.append(" --check' shows what holds, and where it comes from.\n");
    for (SettingInfo setting : component.settings()) {
      text.append('\n');
      wrap(setting.description() + " (" + setting.type() + ")", text);
      text.append('#').append(setting.name()).append(": ");
      text.append(yamlValue(setting)).append('\n');
    }
    return text.toString();
  }

  private static String yamlValue(SettingInfo setting) {
    if (setting.type().equals("list of texts")) {
      return "[" + setting.defaultValue() + "]";
    }
    return setting.defaultValue().isEmpty() ? "''" : setting.defaultValue();
  }

  private static void wrap(String sentence, StringBuilder text) {
    StringBuilder line = new StringBuilder("#");
    for (String word : sentence.split(" ")) {
      if (line.length() + 1 + word.length() > WIDTH) {
        text.append(line).append('\n');
        line = new StringBuilder("#");
      }
      line.append(' ').append(word);
    }
    text.append(line).append('\n');
  }
}
