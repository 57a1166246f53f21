package io.moonpool.app.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads a YAML file of settings: one mapping from names to scalars or lists of scalars. Values are
 * taken as the text that stands there, so {@code cluster_id: 007} and {@code name: no} mean what
 * they say; the setting's type decides later.
 */
final class SettingsFile {
  private SettingsFile() {}

  /**
   * The settings of a file, in its order.
   *
   * @throws ConfigurationException when it cannot be read or has another shape; names file and line
   */
  static List<GivenSetting> read(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new ConfigurationException("there is no configuration file " + file);
    } catch (CharacterCodingException e) {
      throw new ConfigurationException("the configuration file " + file + " is not UTF-8 text");
    } catch (IOException e) {
      throw new ConfigurationException(
          "the configuration file " + file + " cannot be read: " + e.getMessage());
    }
    return parse(text, file.toString());
  }

  /** The settings of a text. */
  static List<GivenSetting> parse(String text, String fileName) {
    @Nullable Node root;
    try {
      root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(text));
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
      throw new ConfigurationException(
          fileName + " line " + line + " is not valid YAML: " + e.getProblem());
    } catch (YAMLException e) {
      throw new ConfigurationException(fileName + " is not valid YAML: " + e.getMessage());
    }
    if (root == null) {
      return List.of();
    }
    if (!(root instanceof MappingNode mapping)) {
      throw wrongShape(root, fileName, "expected lines of 'name: value'");
    }
    List<GivenSetting> given = new ArrayList<>();
    Map<String, String> seen = new HashMap<>();
    for (NodeTuple entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        throw wrongShape(entry.getKeyNode(), fileName, "expected the name of a setting");
      }
      String origin = fileName + " line " + line(key);
      @Nullable String earlier = seen.putIfAbsent(key.getValue(), origin);
      if (earlier != null) {
        throw new ConfigurationException(
            origin + ": " + key.getValue() + " is already set in " + earlier);
      }
      given.add(new GivenSetting(key.getValue(), value(entry.getValueNode(), fileName), origin));
    }
    return given;
  }

  private static Object value(Node node, String fileName) {
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    if (!(node instanceof SequenceNode sequence)) {
      throw wrongShape(node, fileName, "a value is a text, a number or a list, not a mapping");
    }
    List<String> texts = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      if (!(item instanceof ScalarNode scalar)) {
        throw wrongShape(item, fileName, "a list holds texts or numbers only");
      }
      texts.add(scalar.getValue());
    }
    return List.copyOf(texts);
  }

  private static int line(Node node) {
    return node.getStartMark().getLine() + 1;
  }

  private static ConfigurationException wrongShape(Node node, String fileName, String expected) {
    return new ConfigurationException(fileName + " line " + line(node) + ": " + expected);
  }
}
