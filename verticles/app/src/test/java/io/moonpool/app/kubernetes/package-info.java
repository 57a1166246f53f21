/**
 * The manifests of {@code conf/kubernetes}: against the API of Kubernetes, against Moonpool's own
 * configuration, and what runs before a pod is stopped against a pool of processes. Runs on the
 * test's thread.
 */
package io.moonpool.app.kubernetes;
