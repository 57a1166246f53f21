package io.moonpool.model.config;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads, lists and prints records whose components carry a {@link Setting}. A component that is a
 * record itself is a group: its settings have the group's name in front of theirs, unless it is
 * {@link Unprefixed}.
 */
public final class SettingsReader {
  private SettingsReader() {}

  /**
   * The record that a file's map gives; what the map does not name keeps its default.
   *
   * @param values by setting name; numbers, texts, booleans and lists; texts also for the others
   * @throws IllegalArgumentException for an unknown name, a value of another type, or whatever the
   *     record's constructor refuses
   */
  public static <R extends Record> R read(Class<R> type, R defaults, Map<String, ?> values) {
    Map<String, Object> rest = new LinkedHashMap<>(values);
    R config = take(type, defaults, "", rest);
    if (!rest.isEmpty()) {
      throw new IllegalArgumentException(
          "unknown setting '"
              + rest.keySet().iterator().next()
              + "'; the settings are: "
              + describe(type, defaults).stream()
                  .map(SettingInfo::name)
                  .collect(Collectors.joining(", ")));
    }
    return config;
  }

  /** Builds a record or a group of one; takes what it uses out of the map. */
  private static <R extends Record> R take(
      Class<R> type, R defaults, String prefix, Map<String, Object> rest) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] arguments = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      String name = prefix + name(components[i]);
      types[i] = components[i].getType();
      Object standard = valueOf(components[i], defaults);
      if (standard instanceof Record group) {
        arguments[i] = takeGroup(group, prefix(components[i], name), rest);
        continue;
      }
      Object given = rest.remove(name);
      arguments[i] = given == null ? standard : convert(name, types[i], given);
    }
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException invalid) {
        throw invalid;
      }
      throw new IllegalStateException("the configuration record cannot be built", e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the configuration record cannot be built", e);
    }
  }

  @SuppressWarnings("unchecked") // a record's class is that of its type
  private static <G extends Record> G takeGroup(
      G defaults, String prefix, Map<String, Object> rest) {
    return take((Class<G>) defaults.getClass(), defaults, prefix, rest);
  }

  /** All settings, in the order of the record. */
  public static <R extends Record> List<SettingInfo> describe(Class<R> type, R defaults) {
    List<SettingInfo> settings = new ArrayList<>();
    describe(defaults, "", settings);
    return List.copyOf(settings);
  }

  private static void describe(Record defaults, String prefix, List<SettingInfo> settings) {
    for (RecordComponent component : defaults.getClass().getRecordComponents()) {
      String name = prefix + name(component);
      if (valueOf(component, defaults) instanceof Record group) {
        describe(group, prefix(component, name), settings);
        continue;
      }
      Setting setting = setting(component);
      settings.add(
          new SettingInfo(
              name,
              kind(name, component.getType()),
              text(component, defaults),
              setting.value(),
              setting.secret()));
    }
  }

  /**
   * The values as people read them, by name, in the order of the record: sizes with their unit,
   * lists separated by commas, secrets hidden.
   */
  public static Map<String, String> values(Record config) {
    Map<String, String> values = new LinkedHashMap<>();
    collect(config, "", values);
    return values;
  }

  private static void collect(Record config, String prefix, Map<String, String> values) {
    for (RecordComponent component : config.getClass().getRecordComponents()) {
      String name = prefix + name(component);
      if (valueOf(component, config) instanceof Record group) {
        collect(group, prefix(component, name), values);
        continue;
      }
      String text = text(component, config);
      boolean hidden = setting(component).secret() && !text.isEmpty();
      values.put(name, hidden ? "(set)" : text);
    }
  }

  /** One line a setting, secrets hidden. */
  public static String print(Record config) {
    StringBuilder text = new StringBuilder();
    values(config)
        .forEach(
            (name, value) ->
                text.append(text.isEmpty() ? "" : "\n").append(name).append(": ").append(value));
    return text.toString();
  }

  private static String text(RecordComponent component, Record config) {
    Object value = valueOf(component, config);
    if (value instanceof List<?> list) {
      return list.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
    if (value instanceof Number size && name(component).endsWith("_bytes")) {
      return ByteSizes.format(size.longValue());
    }
    return String.valueOf(value);
  }

  private static Setting setting(RecordComponent component) {
    Setting setting = component.getAnnotation(Setting.class);
    if (setting == null) {
      throw new IllegalStateException(component + " has no @Setting");
    }
    return setting;
  }

  /** The component's name in snake case: {@code leaseTtlMillis} is {@code lease_ttl_ms}. */
  private static String name(RecordComponent component) {
    return component
        .getName()
        .replaceAll("([A-Z])", "_$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("_millis$", "_ms")
        .replaceAll("_micros$", "_us");
  }

  /** What the names in a group begin with. */
  private static String prefix(RecordComponent group, String name) {
    return group.isAnnotationPresent(Unprefixed.class) ? "" : name + "_";
  }

  private static Object valueOf(RecordComponent component, Record config) {
    try {
      return component.getAccessor().invoke(config);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(component + " cannot be read", e);
    }
  }

  private static String kind(String name, Class<?> type) {
    if (type != List.class && name.endsWith("_bytes")) {
      return "size";
    }
    if (type == int.class || type == long.class) {
      return "whole number";
    }
    if (type == double.class) {
      return "number";
    }
    if (type == boolean.class) {
      return "true or false";
    }
    return type == List.class ? "list of texts" : "text";
  }

  private static Object convert(String name, Class<?> type, Object given) {
    try {
      if (type == int.class) {
        return Math.toIntExact(whole(name, given));
      }
      if (type == long.class) {
        return whole(name, given);
      }
      if (type == double.class) {
        return given instanceof Number n
            ? n.doubleValue()
            : Double.parseDouble(given.toString().strip());
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw wrongType(name, type, given, e);
    }
    if (type == boolean.class) {
      return switch (given.toString().strip()) {
        case "true" -> true;
        case "false" -> false;
        default -> throw wrongType(name, type, given, null);
      };
    }
    if (type == List.class) {
      List<String> texts = new ArrayList<>();
      if (given instanceof Iterable<?> many) {
        many.forEach(each -> texts.add(String.valueOf(each)));
      } else if (!given.toString().isBlank()) {
        for (String each : given.toString().split(",", -1)) {
          texts.add(each.strip());
        }
      }
      return texts;
    }
    if (given instanceof Iterable<?> || given instanceof Map<?, ?>) {
      throw wrongType(name, type, given, null);
    }
    return given.toString();
  }

  private static long whole(String name, Object given) {
    if (!(given instanceof Number number)) {
      String text = given.toString().strip();
      return name.endsWith("_bytes") ? ByteSizes.parse(text) : Long.parseLong(text);
    }
    if (number instanceof Double || number instanceof Float) {
      double value = number.doubleValue();
      if (value != Math.rint(value)) {
        throw new ArithmeticException("a fraction");
      }
    }
    return number.longValue();
  }

  private static IllegalArgumentException wrongType(
      String name, Class<?> type, Object given, @Nullable Exception cause) {
    String kind = kind(name, type);
    String hint = kind.equals("size") ? " (bytes, or a number with KiB, MiB, GiB or TiB)" : "";
    return new IllegalArgumentException(
        name + " must be a " + kind + hint + ", but is '" + given + "'", cause);
  }
}
