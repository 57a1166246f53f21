package io.moonpool.node;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.moonpool.client.ClientCounters;
import io.moonpool.model.ClientState;
import io.moonpool.model.process.HeapPeak;
import io.moonpool.node.disk.DiskStats;
import io.moonpool.node.rest.RestStats;
import io.moonpool.node.task.TaskStats;
import io.moonpool.protocol.frame.ConnectionLimit;
import io.moonpool.protocol.json.JsonForms;
import io.moonpool.storage.StoreStats;
import io.moonpool.transfer.MooncakeCounters;
import io.moonpool.transfer.TransferCounters;
import io.moonpool.transfer.Transports;
import java.util.function.ToDoubleFunction;

/**
 * What a node measures, for Prometheus. All series exist from the start. They read counters that
 * others write; nothing that serves waits for a reader.
 */
final class NodeMetrics {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  NodeMetrics() {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    Gauge.builder("moonpool_node_heap_peak_bytes", HeapPeak::bytes)
        .description("Most that the heap ever held, garbage included")
        .register(registry);
  }

  void watch(NodeHealth health) {
    gauge("moonpool_node_segments", "Segments lent", health, NodeHealth::segments);
    gauge("moonpool_node_segment_bytes", "Bytes lent", health, NodeHealth::segmentBytes);
    gauge(
        "moonpool_node_mounted",
        "1 when the master has mounted the node's segments",
        health,
        each -> each.state() == NodeState.MOUNTED ? 1 : 0);
    counter(
        "moonpool_node_remounts",
        "Times that the node had to mount again",
        health,
        each -> each.remounts.sum());
  }

  void watch(HeartbeatStats stats) {
    counter(
        "moonpool_node_pings_sent",
        "Pings sent to the heartbeat port",
        stats,
        each -> each.sent.sum());
    counter(
        "moonpool_node_pings_sent_main_port",
        "Pings sent to the main port, for want of answers from the heartbeat port",
        stats,
        each -> each.sentToMainPort.sum());
    counter("moonpool_node_pings_answered", "Pings answered", stats, each -> each.answered.sum());
    gauge(
        "moonpool_node_ping_round_trip_seconds",
        "Round trip of the last answered ping",
        stats,
        each -> each.roundTripNanos() / 1e9);
    gauge(
        "moonpool_node_master_silent_seconds",
        "Time since the master last answered a ping",
        stats,
        each -> each.silentMillis() / 1e3);
    gauge(
        "moonpool_node_ping_gap_seconds",
        "Longest time between two answered pings that ended in the last minute or two",
        stats,
        each -> each.recentGapNanos(System.nanoTime()) / 1e9);
    gauge(
        "moonpool_node_ping_gap_max_seconds",
        "Longest time between two answered pings since the start",
        stats,
        each -> each.longestGapNanos() / 1e9);
    for (ClientState state : ClientState.values()) {
      Gauge.builder("moonpool_node_liveness", stats, each -> each.state() == state ? 1 : 0)
          .tag("state", JsonForms.name(state))
          .description("1 for the state in which the master last saw the node")
          .register(registry);
    }
    counter(
        "moonpool_node_suspicions",
        "Times that the master had suspected the node, for want of pings",
        stats,
        each -> each.suspicions.sum());
    counter(
        "moonpool_node_pings_answered_heartbeat_port",
        "Pings answered by the heartbeat port; the others were by the main port",
        stats,
        each -> each.answeredByHeartbeatPort.sum());
    gauge(
        "moonpool_node_master_epoch",
        "The start of the master that last answered a ping",
        stats,
        HeartbeatStats::masterEpoch);
    gauge(
        "moonpool_node_master_view",
        "The version of the master's view of the nodes: it changes when one comes or goes",
        stats,
        HeartbeatStats::viewVersion);
  }

  void watch(DiskStats stats) {
    counter(
        "moonpool_node_disk_offloaded_objects",
        "Objects written to disk that the master took note of",
        stats,
        DiskStats::offloaded);
    counter(
        "moonpool_node_disk_offloaded_bytes",
        "Bytes of objects written to disk that the master took note of",
        stats,
        DiskStats::offloadedBytes);
    counter(
        "moonpool_node_disk_offload_failures",
        "Objects that could not be written to disk",
        stats,
        DiskStats::offloadFailures);
    counter(
        "moonpool_node_disk_promoted_objects",
        "Objects written from disk back to memory",
        stats,
        DiskStats::promoted);
    counter(
        "moonpool_node_disk_promoted_bytes",
        "Bytes of objects written from disk back to memory",
        stats,
        DiskStats::promotedBytes);
    counter(
        "moonpool_node_disk_promotion_failures",
        "Objects that could not be written from disk back to memory",
        stats,
        DiskStats::promotionFailures);
    counter(
        "moonpool_node_disk_reported_objects",
        "Objects on disk that the master took over after a mount",
        stats,
        DiskStats::reported);
    counter(
        "moonpool_node_disk_scans",
        "Complete reports of the disk to the master",
        stats,
        DiskStats::scans);
    counter(
        "moonpool_node_disk_tombstones",
        "Records of removed or overwritten objects that were made dead",
        stats,
        DiskStats::tombstones);
    counter(
        "moonpool_node_disk_evicted_objects",
        "Objects that left the disk for want of space",
        stats,
        DiskStats::evicted);
    counter(
        "moonpool_node_disk_evictions_refused",
        "Buckets that were kept because the master did not take note of their eviction",
        stats,
        DiskStats::evictionsRefused);
    gauge(
        "moonpool_node_disk_objects",
        "Objects on disk",
        stats,
        each -> store(each, StoreStats::objects));
    gauge(
        "moonpool_node_disk_used_bytes",
        "Bytes that the disk tier takes",
        stats,
        each -> store(each, StoreStats::usedBytes));
    gauge(
        "moonpool_node_disk_quota_bytes",
        "Bytes that the disk tier may take",
        stats,
        each -> store(each, StoreStats::quotaBytes));
    gauge(
        "moonpool_node_disk_damaged_buckets",
        "Buckets that were set aside when the disk was opened",
        stats,
        each -> store(each, now -> now.recovered().damaged().size()));
    counter(
        "moonpool_node_disk_read_objects",
        "Objects, or parts of them, read from disk",
        stats,
        each -> store(each, StoreStats::readObjects));
    counter(
        "moonpool_node_disk_read_failures",
        "Reads from disk that failed",
        stats,
        each -> store(each, StoreStats::readFailures));
    counter(
        "moonpool_node_disk_damages",
        "Reads that proved an object on disk to be damaged; the master was told",
        stats,
        each -> store(each, StoreStats::damagedObjects));
    counter(
        "moonpool_node_disk_buffered_opens",
        "Files that were read or written through the page cache, for want of direct access",
        stats,
        each -> store(each, StoreStats::bufferedOpens));
  }

  private static double store(DiskStats stats, ToDoubleFunction<StoreStats> value) {
    StoreStats now = stats.store();
    return now == null ? 0 : value.applyAsDouble(now);
  }

  void watch(TaskStats stats) {
    gauge("moonpool_node_tasks_running", "Copies and moves under way", stats, TaskStats::running);
    counter(
        "moonpool_node_tasks_taken",
        "Copies and moves that the master asked for",
        stats,
        TaskStats::taken);
    counter(
        "moonpool_node_tasks_succeeded",
        "Copies and moves carried out and settled",
        stats,
        TaskStats::succeeded);
    counter(
        "moonpool_node_tasks_failed",
        "Copies and moves that could not be carried out",
        stats,
        TaskStats::failed);
    counter(
        "moonpool_node_tasks_unsettled",
        "Copies and moves carried out that the master had given up",
        stats,
        TaskStats::unsettled);
    counter(
        "moonpool_node_task_memory_bytes",
        "Bytes of values copied and moved from memory",
        stats,
        TaskStats::memoryBytes);
    counter(
        "moonpool_node_task_disk_bytes",
        "Bytes of values copied and moved from disk",
        stats,
        TaskStats::diskBytes);
    counter(
        "moonpool_node_replica_move_local_disk_transfer_success",
        "Moves from disk that succeeded; each is a log event of that name",
        stats,
        TaskStats::movesFromDisk);
    counter(
        "moonpool_node_local_disk_load_failed",
        "Loads from disk for a copy or move that failed; each is a log event of that name",
        stats,
        TaskStats::failedLoads);
  }

  /** A port that has a limit of connections. */
  void watch(String port, ConnectionLimit limit) {
    port(port, limit, ConnectionLimit::open, ConnectionLimit::refused);
  }

  private <T> void port(
      String port, T from, ToDoubleFunction<T> open, ToDoubleFunction<T> refused) {
    Gauge.builder("moonpool_node_port_connections", from, open)
        .tag("port", port)
        .description("Connections that are open")
        .register(registry);
    FunctionCounter.builder("moonpool_node_port_connections_refused", from, refused)
        .tag("port", port)
        .description("Connections that were closed at once, since there were max_connections")
        .register(registry);
  }

  void watch(RestStats stats) {
    counter("moonpool_node_http_requests", "HTTP requests answered", stats, RestStats::requests);
    counter(
        "moonpool_node_http_client_errors",
        "HTTP answers with a status of 400 to 499",
        stats,
        RestStats::clientErrors);
    counter(
        "moonpool_node_http_server_errors",
        "HTTP answers with a status of 500 and above",
        stats,
        RestStats::serverErrors);
    counter(
        "moonpool_node_http_received_bytes",
        "Bytes of values received over HTTP",
        stats,
        RestStats::bytesIn);
    counter(
        "moonpool_node_http_sent_bytes",
        "Bytes of values sent over HTTP",
        stats,
        RestStats::bytesOut);
    counter(
        "moonpool_node_http_staging_waits",
        "Times that a request had to wait for staging memory",
        stats,
        RestStats::stagingWaits);
    counter(
        "moonpool_node_http_staging_refusals",
        "Requests that waited for staging memory in vain",
        stats,
        RestStats::stagingRefusals);
    counter(
        "moonpool_node_http_idle_cuts",
        "Requests that were cut off, since their peer did nothing while others waited for memory",
        stats,
        RestStats::idleCuts);
  }

  void watch(Transports transports) {
    port("data", transports, Transports::acceptedConnections, Transports::refusedConnections);
    if (transports.servesMooncake()) {
      port(
          "mooncake",
          transports,
          Transports::mooncakeConnections,
          Transports::refusedMooncakeConnections);
      watch(transports.mooncakeCounters());
    }
    transports
        .counters()
        .forEach(
            (name, counters) -> {
              transfer(name, "puts", "Puts to segments", counters, TransferCounters::puts);
              transfer(
                  name, "put_bytes", "Bytes put to segments", counters, TransferCounters::putBytes);
              transfer(name, "gets", "Gets from segments", counters, TransferCounters::gets);
              transfer(
                  name,
                  "get_bytes",
                  "Bytes got from segments",
                  counters,
                  TransferCounters::getBytes);
              transfer(
                  name, "failures", "Transfers that failed", counters, TransferCounters::failures);
            });
  }

  void watch(ClientCounters counters) {
    counter(
        "moonpool_node_client_replica_fallbacks",
        "Times that a replica could not be read and the next one was asked",
        counters,
        ClientCounters::replicaFallbacks);
    counter(
        "moonpool_node_client_checksum_mismatches",
        "Times that the bytes of a replica did not match their checksum",
        counters,
        ClientCounters::checksumMismatches);
    counter(
        "moonpool_node_client_repeated_reads",
        "Reads done once more, with a fresh location",
        counters,
        ClientCounters::repeatedReads);
    counter(
        "moonpool_node_client_repeated_writes",
        "Writes done once more, since their bytes did not arrive",
        counters,
        ClientCounters::repeatedWrites);
    counter(
        "moonpool_node_client_space_waits",
        "Writes started once more, since there was no space for them",
        counters,
        ClientCounters::spaceWaits);
    counter(
        "moonpool_node_client_bytes_from_memory",
        "Bytes of values that this node's REST read from the memory of nodes",
        counters,
        ClientCounters::bytesFromMemory);
    counter(
        "moonpool_node_client_bytes_from_disk",
        "Bytes of values that this node's REST read from the disks of nodes",
        counters,
        ClientCounters::bytesFromDisk);
  }

  private void watch(MooncakeCounters counters) {
    counter(
        "moonpool_node_mooncake_handshakes",
        "Handshakes of clients of Mooncake that were answered",
        counters,
        MooncakeCounters::handshakes);
    counter(
        "moonpool_node_mooncake_writes",
        "Writes of clients of Mooncake to this node's memory",
        counters,
        MooncakeCounters::writes);
    counter(
        "moonpool_node_mooncake_written_bytes",
        "Bytes of those writes",
        counters,
        MooncakeCounters::writtenBytes);
    counter(
        "moonpool_node_mooncake_reads",
        "Reads of clients of Mooncake from this node's memory",
        counters,
        MooncakeCounters::reads);
    counter(
        "moonpool_node_mooncake_read_bytes",
        "Bytes of those reads",
        counters,
        MooncakeCounters::readBytes);
    counter(
        "moonpool_node_mooncake_rejected",
        "Reads and writes of clients of Mooncake at addresses that nothing is lent at",
        counters,
        MooncakeCounters::rejected);
    counter(
        "moonpool_node_mooncake_malformed",
        "Connections of clients of Mooncake closed, since they sent what is no request",
        counters,
        MooncakeCounters::malformed);
  }

  private void transfer(
      String transport,
      String what,
      String description,
      TransferCounters counters,
      ToDoubleFunction<TransferCounters> value) {
    FunctionCounter.builder("moonpool_node_transfer_" + what, counters, value)
        .tag("transport", transport)
        .description(description)
        .register(registry);
  }

  private <T> void gauge(String name, String description, T from, ToDoubleFunction<T> value) {
    Gauge.builder(name, from, value).description(description).register(registry);
  }

  private <T> void counter(String name, String description, T from, ToDoubleFunction<T> value) {
    FunctionCounter.builder(name, from, value).description(description).register(registry);
  }

  /** The text that Prometheus reads. */
  String scrape() {
    return registry.scrape();
  }

  void close() {
    registry.close();
  }
}
