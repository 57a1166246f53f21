package io.moonpool.app.config;

import io.moonpool.model.config.SettingInfo;
import io.moonpool.model.config.SettingsReader;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A configuration and where each value of it came from. Flags win over the environment, that over
 * the file, that over the defaults.
 *
 * @param <R> the configuration record
 * @param config the validated record
 * @param origins where the values that are no defaults came from, by setting
 */
public record Settings<R extends Record>(R config, Map<String, String> origins) {
  /**
   * What Kubernetes puts into the environment of a pod for services named {@code moonpool-master}
   * or {@code moonpool-node}; not meant for us.
   */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?");

  /** The end of the variable that names the configuration file. */
  private static final String FILE_VARIABLE = "CONFIG";

  private static final int MAX_DISTANCE = 3;

  /**
   * Puts a configuration together.
   *
   * @param component whose
   * @param file the file that a flag names; empty: the one that the environment names, else the
   *     default file when it exists
   * @param defaultFile read when no other file is named and it exists
   * @param environment the process's environment
   * @param flags what the command line gives, in its order; later ones win
   * @throws ConfigurationException for an unknown setting, a bad value or an unreadable file
   */
  public static <R extends Record> Settings<R> load(
      Component<R> component,
      @Nullable Path file,
      Path defaultFile,
      Map<String, String> environment,
      List<GivenSetting> flags) {
    List<GivenSetting> given = new ArrayList<>();
    @Nullable String named = environment.get(component.variablePrefix() + FILE_VARIABLE);
    if (file != null) {
      given.addAll(SettingsFile.read(file));
    } else if (named != null && !named.isBlank()) {
      given.addAll(SettingsFile.read(Path.of(named)));
    } else if (defaultFile.toFile().exists()) {
      given.addAll(SettingsFile.read(defaultFile));
    }
    given.addAll(fromEnvironment(component, environment));
    given.addAll(flags);

    Map<String, Object> values = new LinkedHashMap<>();
    Map<String, String> origins = new LinkedHashMap<>();
    for (GivenSetting setting : given) {
      if (!component.has(setting.name())) {
        throw unknown(component, setting);
      }
      values.put(setting.name(), setting.value());
      origins.put(setting.name(), setting.origin());
    }
    try {
      return new Settings<>(component.read().apply(values), Map.copyOf(origins));
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(
          e.getMessage() + blame(String.valueOf(e.getMessage()), origins));
    }
  }

  /** One line a setting with its origin, secrets hidden. */
  public String describe() {
    Map<String, String> values = SettingsReader.values(config);
    StringBuilder text = new StringBuilder();
    values.forEach(
        (name, value) -> {
          text.append(text.isEmpty() ? "" : "\n").append(name).append(": ").append(value);
          @Nullable String origin = origins.get(name);
          if (origin != null) {
            text.append("   # ").append(origin);
          }
        });
    return text.toString();
  }

  /** The same as an object: to each setting its value, as text, and its origin. */
  public JsonObject toJson() {
    JsonObject json = new JsonObject();
    SettingsReader.values(config)
        .forEach(
            (name, value) ->
                json.put(
                    name,
                    new JsonObject()
                        .put("value", value)
                        .put("origin", origins.getOrDefault(name, "default"))));
    return json;
  }

  static String upper(String name) {
    return name.toUpperCase(Locale.ROOT);
  }

  private static List<GivenSetting> fromEnvironment(
      Component<?> component, Map<String, String> environment) {
    List<GivenSetting> given = new ArrayList<>();
    String prefix = component.variablePrefix();
    // Sorted: the same environment gives the same error each time.
    new TreeMap<>(environment)
        .forEach(
            (variable, value) -> {
              if (!variable.startsWith(prefix)) {
                return;
              }
              String rest = variable.substring(prefix.length());
              String name = rest.toLowerCase(Locale.ROOT);
              boolean foreign =
                  rest.equals(FILE_VARIABLE)
                      || (!component.has(name) && SERVICE_LINK.matcher(rest).matches());
              if (!foreign) {
                given.add(new GivenSetting(name, value, "environment variable " + variable));
              }
            });
    return given;
  }

  private static ConfigurationException unknown(Component<?> component, GivenSetting setting) {
    List<String> names = component.settings().stream().map(SettingInfo::name).toList();
    String nearest =
        names.stream()
            .min(Comparator.comparingInt(name -> distance(name, setting.name())))
            .filter(name -> distance(name, setting.name()) <= MAX_DISTANCE)
            .map(name -> "did you mean " + name + "? ")
            .orElse("");
    return new ConfigurationException(
        setting.origin()
            + ": there is no "
            + component.name()
            + " setting '"
            + setting.name()
            + "'; "
            + nearest
            + "The settings are: "
            + String.join(", ", names));
  }

  /** Names the origin of each given setting that a message is about. */
  private static String blame(String message, Map<String, String> origins) {
    StringBuilder text = new StringBuilder();
    origins.forEach(
        (name, origin) -> {
          if (Pattern.compile("\\b" + Pattern.quote(name) + "\\b").matcher(message).find()) {
            text.append(text.isEmpty() ? " (" : "; ").append(name).append(" is set by ");
            text.append(origin);
          }
        });
    return text.isEmpty() ? "" : text + ")";
  }

  /** The Levenshtein distance of two names. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
