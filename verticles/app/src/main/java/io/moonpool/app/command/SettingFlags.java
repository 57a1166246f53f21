package io.moonpool.app.command;

import io.moonpool.app.config.Component;
import io.moonpool.app.config.GivenSetting;
import io.moonpool.model.config.SettingInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A flag for each setting of a component, made from the setting's own description: {@code rpc_port}
 * is {@code --rpc-port}. Secrets get none, since other users of the machine can read command lines.
 */
final class SettingFlags {
  /** Most name a single one. */
  private static final String TRANSPORTS = "transports";

  private final List<GivenSetting> given = new ArrayList<>();

  /** Adds the flags to a command. */
  static SettingFlags addTo(CommandSpec command, Component<?> component) {
    SettingFlags flags = new SettingFlags();
    ArgGroupSpec.Builder group =
        ArgGroupSpec.builder()
            .heading(
                "%nSettings (also in the file as "
                    + example(component).name()
                    + ", in the environment as "
                    + component.variablePrefix()
                    + example(component).name().toUpperCase(Locale.ROOT)
                    + ", and with --set):%n")
            .exclusive(false)
            .multiplicity("0..1")
            .validate(false)
            .order(10);
    int order = 0;
    for (SettingInfo setting : component.settings()) {
      if (!setting.secret()) {
        group.addArg(flags.flag(setting, order++));
      }
    }
    command.addArgGroup(group.build());
    return flags;
  }

  /** What the command line gave so far, in its order. */
  List<GivenSetting> given() {
    return given;
  }

  private static SettingInfo example(Component<?> component) {
    return component.settings().getFirst();
  }

  private OptionSpec flag(SettingInfo setting, int order) {
    String flag = "--" + setting.name().replace('_', '-');
    String holds = setting.defaultValue().isEmpty() ? "nothing" : setting.defaultValue();
    String[] names =
        setting.name().equals(TRANSPORTS)
            ? new String[] {flag, "--transport"}
            : new String[] {flag};
    return OptionSpec.builder(names)
        .paramLabel(label(setting))
        .type(String.class)
        .arity("1")
        .order(order)
        // The parser formats descriptions: a percent sign must be doubled.
        .description((setting.description() + " Default: " + holds + ".").replace("%", "%%"))
        .setter(new Collector(setting.name(), flag))
        .build();
  }

  private static String label(SettingInfo setting) {
    return switch (setting.type()) {
      case "whole number", "number" -> "N";
      case "size" -> "SIZE";
      case "true or false" -> "true|false";
      case "list of texts" -> "LIST";
      default -> "TEXT";
    };
  }

  private final class Collector implements ISetter {
    private final String name;
    private final String flag;

    Collector(String name, String flag) {
      this.name = name;
      this.flag = flag;
    }

    @Override
    @SuppressWarnings("unchecked") // picocli ignores what a setter answers
    public <T> T set(T value) {
      // The parser first sets the initial value, which is null.
      if (value != null) {
        given.add(new GivenSetting(name, value, flag));
      }
      return value;
    }
  }
}
