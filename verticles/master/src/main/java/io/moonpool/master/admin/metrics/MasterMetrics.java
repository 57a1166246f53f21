package io.moonpool.master.admin.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.moonpool.model.process.HeapPeak;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.micrometer.Label;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;

/**
 * The registry of a master process, and the settings that make Vert.x count into it. Create one
 * before the Vert.x instance. Any thread may use it.
 *
 * <p>No label takes a value that a caller chooses: request paths appear as their route, methods
 * that no route has as {@code other}, and there is no label for addresses of callers, keys, tenants
 * or segments.
 */
public final class MasterMetrics {
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** A registry that tells of the process. */
  public MasterMetrics() {
    registry
        .config()
        .meterFilter(
            MeterFilter.replaceTagValues(
                Label.HTTP_METHOD.toString(),
                method -> METHODS.contains(method) ? method : "other"));
    Gauge.builder("moonpool.heap.peak", HeapPeak::bytes)
        .baseUnit(BaseUnits.BYTES)
        .description("Most that the heap ever held, garbage included")
        .register(registry);
    FunctionCounter.builder(
            "moonpool.heap.allocated", HeapAllocation.class, _ -> HeapAllocation.bytes())
        .baseUnit(BaseUnits.BYTES)
        .description("Bytes that threads allocated on the heap")
        .register(registry);
  }

  /** Where meters are registered. */
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /** Switches metrics on in the options of a Vert.x instance. */
  public VertxOptions configure(VertxOptions options) {
    return options.setMetricsOptions(new MetricsOptions().setEnabled(true));
  }

  /** Makes the Vert.x instance that is being built count into the registry. */
  public VertxBuilder addTo(VertxBuilder builder) {
    // The details do not travel in the options: copies of these would lose them.
    return builder.withMetrics(
        ignored ->
            new MicrometerMetricsFactory(registry)
                .metrics(new VertxOptions().setMetricsOptions(details())));
  }

  private static MicrometerMetricsOptions details() {
    return new MicrometerMetricsOptions()
        .setEnabled(true)
        // Vert.x shares registries of the same name: two masters of one process would mix theirs.
        .setRegistryName("moonpool-" + UUID.randomUUID())
        .setJvmMetricsEnabled(true)
        .setLabels(
            EnumSet.of(
                Label.HTTP_METHOD,
                Label.HTTP_ROUTE,
                Label.HTTP_CODE,
                // Without these, the two servers, and what is local and what is remote on the event
                // bus, would be meters of one name, of which only the first counts.
                Label.LOCAL,
                Label.EB_SIDE,
                Label.POOL_TYPE,
                Label.POOL_NAME))
        // The hot port counts its own calls, see MasterStats; a second count per read would only
        // cost.
        .addDisabledMetricsCategory(MetricsDomain.NET_SERVER)
        .addDisabledMetricsCategory(MetricsDomain.NET_CLIENT)
        .addDisabledMetricsCategory(MetricsDomain.HTTP_CLIENT)
        .addDisabledMetricsCategory(MetricsDomain.DATAGRAM_SOCKET)
        .addDisabledMetricsCategory(MetricsDomain.VERTICLES);
  }

  /** All metrics in the Prometheus text format; takes milliseconds, so not for an event loop. */
  public String scrape() {
    return registry.scrape();
  }
}
