package io.moonpool.app.kubernetes;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import java.util.List;

/** What the Prometheus Operator scrapes; of its fields those that are used here. */
record ServiceMonitor(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {
  /**
   * Which services.
   *
   * @param selector of their labels
   * @param endpoints of each
   */
  record Spec(LabelSelector selector, List<Endpoint> endpoints) {}

  /**
   * A port of a service.
   *
   * @param port its name there
   * @param path of the metrics
   * @param interval between scrapes
   */
  record Endpoint(String port, String path, String interval, Authorization authorization) {}

  /** A token in a secret; Bearer when no type is named. */
  record Authorization(SecretKeySelector credentials) {}
}
