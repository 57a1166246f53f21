package io.moonpool.app.config;

import io.moonpool.master.MasterConfig;
import io.moonpool.model.config.SettingInfo;
import io.moonpool.node.NodeConfig;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A kind of process with settings of its own.
 *
 * @param <R> its configuration record
 * @param name {@code master} or {@code node}: part of file names and environment variables
 * @param settings all there are, in the order of the reference
 * @param read builds the record from values by name, or throws {@link IllegalArgumentException}
 */
public record Component<R extends Record>(
    String name, List<SettingInfo> settings, Function<Map<String, ?>, R> read) {
  /** The master. */
  public static final Component<MasterConfig> MASTER =
      new Component<>("master", MasterConfig.settings(), MasterConfig::of);

  /** The node. */
  public static final Component<NodeConfig> NODE =
      new Component<>("node", NodeConfig.settings(), NodeConfig::of);

  /** What its environment variables start with. */
  public String variablePrefix() {
    return "MOONPOOL_" + Settings.upper(name) + "_";
  }

  /** Whether there is a setting of that name. */
  boolean has(String setting) {
    return settings.stream().anyMatch(info -> info.name().equals(setting));
  }
}
