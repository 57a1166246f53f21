package io.moonpool.app.kubernetes;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.moonpool.app.packaged.FatJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** All manifests, read so that nothing in them is passed over. */
final class Manifests {
  private static final Path FOLDER = FatJar.ROOT.resolve("conf/kubernetes");

  private static final Map<String, Class<?>> KINDS =
      Map.of(
          "v1/Service", Service.class,
          "apps/v1/StatefulSet", StatefulSet.class,
          "policy/v1/PodDisruptionBudget", PodDisruptionBudget.class,
          "networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class,
          "monitoring.coreos.com/v1/ServiceMonitor", ServiceMonitor.class);

  /** The classes of the API keep fields that they do not know; here these are errors. */
  private static final ObjectMapper STRICT =
      new ObjectMapper()
          .setAnnotationIntrospector(
              new JacksonAnnotationIntrospector() {
                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                  return false;
                }
              });

  private final List<Object> all = new ArrayList<>();

  private Manifests() {}

  /** Those of the project. */
  static Manifests read() throws IOException {
    Manifests manifests = new Manifests();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".yaml")).sorted().toList()) {
        manifests.all.addAll(parse(Files.readString(file)));
      }
    }
    return manifests;
  }

  /**
   * The documents of a file.
   *
   * @throws IllegalArgumentException names a field that does not exist, or has a value of a wrong
   *     kind
   */
  static List<Object> parse(String yaml) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    List<Object> parsed = new ArrayList<>();
    for (Object document : new Yaml(new SafeConstructor(options)).loadAll(yaml)) {
      Map<?, ?> fields = (Map<?, ?>) document;
      Class<?> kind = KINDS.get(fields.get("apiVersion") + "/" + fields.get("kind"));
      if (kind == null) {
        throw new IllegalArgumentException("of no known kind: " + fields);
      }
      parsed.add(STRICT.convertValue(document, kind));
    }
    return parsed;
  }

  /** All of a kind. */
  <T> List<T> all(Class<T> kind) {
    return all.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** The stateful set of that name. */
  StatefulSet set(String name) {
    return all(StatefulSet.class).stream()
        .filter(set -> set.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The pods that a selector of labels means, by what they are made of. */
  List<PodTemplateSpec> selected(Map<String, String> labels) {
    return all(StatefulSet.class).stream()
        .map(set -> set.getSpec().getTemplate())
        .filter(pod -> pod.getMetadata().getLabels().entrySet().containsAll(labels.entrySet()))
        .toList();
  }

  /** The one container of a pod. */
  static Container container(PodTemplateSpec pod) {
    List<Container> containers = pod.getSpec().getContainers();
    if (containers.size() != 1) {
      throw new IllegalArgumentException("not one container: " + containers);
    }
    return containers.getFirst();
  }

  /**
   * The environment of a container.
   *
   * @param fields of the pod, by path
   * @param secret the value of every secret
   */
  static Map<String, String> environment(
      Container container, Map<String, String> fields, String secret) {
    Map<String, String> environment = new LinkedHashMap<>();
    for (EnvVar variable : container.getEnv()) {
      String value = variable.getValue();
      if (value == null) {
        value =
            variable.getValueFrom().getFieldRef() == null
                ? secret
                : fields.get(variable.getValueFrom().getFieldRef().getFieldPath());
      }
      if (value == null || environment.put(variable.getName(), value) != null) {
        throw new IllegalArgumentException("no value, or two, of " + variable.getName());
      }
    }
    return environment;
  }
}
