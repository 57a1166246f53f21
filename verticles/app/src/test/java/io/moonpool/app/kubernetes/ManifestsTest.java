package io.moonpool.app.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.moonpool.app.config.Component;
import io.moonpool.app.config.Settings;
import io.moonpool.master.MasterConfig;
import io.moonpool.model.config.ByteSizes;
import io.moonpool.node.NodeConfig;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The manifests against the API of Kubernetes, against one another, and against the settings. */
class ManifestsTest {
  private static final Map<String, String> POD =
      Map.of("metadata.name", "moonpool-node-0", "status.podIP", "10.1.2.3");
  private static final Path NO_FILE = Path.of("there is no such file");

  /** What else the image reads; what stop-node does with the first two a cluster shows. */
  private static final Set<String> OTHER_VARIABLES = Set.of("MOONPOOL_MASTER", "MOONPOOL_ADMIN");

  private static final long HEAP_OF_A_NODE = 512L << 20;
  private static final long CLOSING_SECONDS = 30;

  private Manifests manifests;

  @BeforeEach
  void parse() throws Exception {
    manifests = Manifests.read();
  }

  @Test
  void whatTheApiDoesNotKnowIsFound() {
    String service =
        """
        apiVersion: v1
        kind: Service
        metadata: {name: a}
        spec: {%s}
        """;
    assertThat(Manifests.parse(service.formatted("clusterIP: None"))).hasSize(1);
    for (String wrong :
        List.of(
            "clusterIp: None", "ports: [{name: a, prot: 1}]", "ports: none", "type: A, type: B")) {
      assertThatThrownBy(() -> Manifests.parse(service.formatted(wrong)))
          .as(wrong)
          .isInstanceOf(RuntimeException.class);
    }
    assertThatThrownBy(() -> Manifests.parse("{apiVersion: v2, kind: Service}"))
        .hasMessageContaining("of no known kind");
    assertThatThrownBy(
            () ->
                Manifests.parse(
                    "{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, spec: {selektor:"
                        + " {}}}"))
        .hasMessageContaining("selektor");
  }

  private static <R extends Record> R settings(Component<R> component, Container container) {
    Map<String, String> environment =
        Manifests.environment(container, POD, "a-token-that-is-long-enough");
    return Settings.load(component, null, NO_FILE, environment, List.of()).config();
  }

  private Container container(String set) {
    return Manifests.container(manifests.set(set).getSpec().getTemplate());
  }

  private NodeConfig node() {
    return settings(Component.NODE, container("moonpool-node"));
  }

  private static Map<String, Integer> ports(Container container) {
    return container.getPorts().stream()
        .collect(Collectors.toMap(ContainerPort::getName, ContainerPort::getContainerPort));
  }

  @Test
  void portsAreThoseThatTheServersListenOn() {
    MasterConfig master = settings(Component.MASTER, container("moonpool-master"));
    assertThat(ports(container("moonpool-master")))
        .isEqualTo(
            Map.of(
                "rpc", master.rpcPort(),
                "grpc", master.grpcPort(),
                "heartbeat", master.heartbeatPort(),
                "http", master.httpPort()));
    assertThat(master.effectiveAdminHost()).isEqualTo("0.0.0.0");
    NodeConfig node = node();
    assertThat(ports(container("moonpool-node")))
        .isEqualTo(
            Map.of(
                "http", node.httpPort(),
                "data", node.dataPort(),
                "disk", node.disk().port(),
                "mooncake", node.mooncakePort(),
                "mooncake-data", node.mooncakeDataPort()));
    assertThat(node.effectiveHttpHost()).isEqualTo("0.0.0.0");
    assertThat(node.effectiveDataHost()).isEqualTo("10.1.2.3");
  }

  @Test
  void nodesLookForTheMasterWhereItsServiceIs() {
    Service service =
        manifests.all(Service.class).stream()
            .filter(each -> each.getMetadata().getName().equals("moonpool-master"))
            .findFirst()
            .orElseThrow();
    Map<String, Integer> ports =
        service.getSpec().getPorts().stream()
            .collect(Collectors.toMap(ServicePort::getName, ServicePort::getPort));
    NodeConfig node = node();
    assertThat(node.masterHost()).isEqualTo("moonpool-master");
    assertThat(node.masterPort()).isEqualTo(ports.get("rpc"));
    Map<String, String> environment =
        Manifests.environment(container("moonpool-node"), POD, "secret");
    assertThat(environment)
        .containsEntry("MOONPOOL_MASTER", "moonpool-master:" + ports.get("rpc"))
        .containsEntry("MOONPOOL_ADMIN", "moonpool-master:" + ports.get("http"));
    // The heartbeat port is one that the master tells its nodes; the service must not change it.
    service
        .getSpec()
        .getPorts()
        .forEach(
            port ->
                assertThat(port.getPort())
                    .isEqualTo(
                        ports(container("moonpool-master")).get(port.getTargetPort().getStrVal())));
  }

  @Test
  void everyVariableIsRead() {
    for (StatefulSet set : manifests.all(StatefulSet.class)) {
      for (EnvVar variable : Manifests.container(set.getSpec().getTemplate()).getEnv()) {
        boolean known =
            OTHER_VARIABLES.contains(variable.getName())
                || isSetting(Component.MASTER, variable.getName())
                || isSetting(Component.NODE, variable.getName());
        assertThat(known).as(variable.getName()).isTrue();
      }
    }
  }

  private static boolean isSetting(Component<?> component, String variable) {
    return component.settings().stream()
        .anyMatch(
            setting ->
                variable.equals(
                    component.variablePrefix()
                        + setting.name().toUpperCase(java.util.Locale.ROOT)));
  }

  @Test
  void namesOfPortsAndSelectorsMeanSomething() {
    for (Service service : manifests.all(Service.class)) {
      List<PodTemplateSpec> pods = manifests.selected(service.getSpec().getSelector());
      assertThat(pods).as(service.getMetadata().getName()).hasSize(1);
      Set<String> there = ports(Manifests.container(pods.getFirst())).keySet();
      for (ServicePort port : service.getSpec().getPorts()) {
        assertThat(there).contains(port.getTargetPort().getStrVal());
      }
    }
    for (StatefulSet set : manifests.all(StatefulSet.class)) {
      assertThat(manifests.selected(set.getSpec().getSelector().getMatchLabels()))
          .containsExactly(set.getSpec().getTemplate());
      assertThat(manifests.all(Service.class))
          .extracting(service -> service.getMetadata().getName())
          .contains(set.getSpec().getServiceName());
    }
    for (PodDisruptionBudget budget : manifests.all(PodDisruptionBudget.class)) {
      assertThat(manifests.selected(budget.getSpec().getSelector().getMatchLabels())).hasSize(1);
    }
    for (ServiceMonitor monitor : manifests.all(ServiceMonitor.class)) {
      List<Service> services =
          manifests.all(Service.class).stream()
              .filter(service -> matches(monitor.spec().selector(), service))
              .toList();
      assertThat(services).hasSize(2);
      for (ServiceMonitor.Endpoint endpoint : monitor.spec().endpoints()) {
        for (Service service : services) {
          assertThat(service.getSpec().getPorts())
              .extracting(ServicePort::getName)
              .contains(endpoint.port());
        }
        assertThat(endpoint.authorization().credentials())
            .isEqualTo(
                container("moonpool-node").getEnv().stream()
                    .filter(variable -> variable.getName().equals("MOONPOOL_NODE_ADMIN_TOKEN"))
                    .findFirst()
                    .orElseThrow()
                    .getValueFrom()
                    .getSecretKeyRef());
      }
    }
  }

  private static boolean matches(LabelSelector selector, Service service) {
    return service
        .getMetadata()
        .getLabels()
        .entrySet()
        .containsAll(selector.getMatchLabels().entrySet());
  }

  @Test
  void networkPoliciesLeaveOpenWhatIsSpoken() {
    Set<String> open = new HashSet<>();
    for (NetworkPolicy policy : manifests.all(NetworkPolicy.class)) {
      List<PodTemplateSpec> pods =
          manifests.selected(policy.getSpec().getPodSelector().getMatchLabels());
      assertThat(pods).hasSize(1);
      String role = Manifests.container(pods.getFirst()).getName();
      Set<String> there = ports(Manifests.container(pods.getFirst())).keySet();
      Set<String> named = new HashSet<>();
      for (NetworkPolicyIngressRule rule : policy.getSpec().getIngress()) {
        for (NetworkPolicyPort port : rule.getPorts()) {
          named.add(port.getPort().getStrVal());
        }
        rule.getFrom().stream()
            .filter(peer -> peer.getPodSelector() != null)
            .map(peer -> manifests.selected(peer.getPodSelector().getMatchLabels()))
            .flatMap(List::stream)
            .forEach(
                peer ->
                    rule.getPorts()
                        .forEach(
                            port ->
                                open.add(
                                    Manifests.container(peer).getName()
                                        + " to "
                                        + role
                                        + " "
                                        + port.getPort().getStrVal())));
      }
      assertThat(named).as("every port is open to somebody").isEqualTo(there);
    }
    assertThat(open)
        .containsExactlyInAnyOrder(
            "node to master rpc",
            "node to master heartbeat",
            "node to master http",
            "node to node http",
            "node to node data",
            "node to node disk");
  }

  @Test
  void thereIsTimeToDrainToWriteAndToClose() {
    PodTemplateSpec pod = manifests.set("moonpool-node").getSpec().getTemplate();
    String command =
        Manifests.container(pod).getLifecycle().getPreStop().getExec().getCommand().getLast();
    Matcher wait = Pattern.compile(" (\\d+)s$").matcher(command);
    assertThat(wait.find()).as(command).isTrue();
    assertThat(pod.getSpec().getTerminationGracePeriodSeconds())
        .isGreaterThan(
            Long.parseLong(wait.group(1))
                + node().disk().shutdownMillis() / 1_000
                + CLOSING_SECONDS);
    assertThat(
            manifests
                .set("moonpool-master")
                .getSpec()
                .getTemplate()
                .getSpec()
                .getTerminationGracePeriodSeconds())
        .isGreaterThan(CLOSING_SECONDS);
  }

  @Test
  void memoryAndDiskHoldWhatIsLent() {
    NodeConfig node = node();
    PodTemplateSpec pod = manifests.set("moonpool-node").getSpec().getTemplate();
    long shared =
        pod.getSpec().getVolumes().stream()
            .mapToLong(volume -> bytes(volume.getEmptyDir().getSizeLimit()))
            .sum();
    long lent = node.segmentBytes().stream().mapToLong(ByteSizes::parse).sum();
    long needed = lent + HEAP_OF_A_NODE + node.stagingBytes() + node.disk().stagingBytes() + shared;
    assertThat(bytes(container("moonpool-node").getResources().getLimits().get("memory")))
        .isGreaterThan(needed + (256L << 20));
    Quantity volume =
        manifests
            .set("moonpool-node")
            .getSpec()
            .getVolumeClaimTemplates()
            .getFirst()
            .getSpec()
            .getResources()
            .getRequests()
            .get("storage");
    assertThat(node.disk().quotaBytes()).isLessThanOrEqualTo(bytes(volume) * 9 / 10);
    for (StatefulSet set : manifests.all(StatefulSet.class)) {
      Container container = Manifests.container(set.getSpec().getTemplate());
      assertThat(container.getResources().getLimits().get("memory"))
          .isEqualTo(container.getResources().getRequests().get("memory"));
    }
  }

  private static long bytes(Quantity quantity) {
    return quantity.getNumericalAmount().longValueExact();
  }

  @Test
  void podsHaveNoPrivileges() {
    for (StatefulSet set : manifests.all(StatefulSet.class)) {
      PodTemplateSpec pod = set.getSpec().getTemplate();
      assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
      assertThat(pod.getSpec().getSecurityContext().getRunAsUser()).isEqualTo(10_001);
      Container container = Manifests.container(pod);
      assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
      assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
      assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
      // What is written to: the volume, and the folder of temporary files.
      assertThat(container.getVolumeMounts())
          .extracting(mount -> mount.getMountPath())
          .contains("/var/lib/moonpool", "/tmp");
    }
  }

  @Test
  void probesAskNamedPorts() {
    for (StatefulSet set : manifests.all(StatefulSet.class)) {
      Container container = Manifests.container(set.getSpec().getTemplate());
      for (Function<Container, Probe> which :
          List.<Function<Container, Probe>>of(
              Container::getStartupProbe, Container::getLivenessProbe)) {
        assertThat(which.apply(container).getHttpGet().getPath()).isEqualTo("/health/live");
        assertThat(which.apply(container).getHttpGet().getPort())
            .isEqualTo(new IntOrString("http"));
      }
      assertThat(container.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/health/ready");
    }
  }
}
