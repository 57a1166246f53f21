package io.moonpool.gateway.admin;

import io.moonpool.master.MasterStats;
import io.moonpool.master.admin.AdminAddition;
import io.moonpool.model.ClientState;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.mooncake.DiskCalls;
import io.moonpool.protocol.mooncake.ObjectCalls;
import io.moonpool.protocol.mooncake.SegmentCalls;
import io.moonpool.protocol.mooncake.TransferCalls;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Those metrics of Mooncake's master that mean the same here, under its names: dashboards and
 * alerts for it go on working. Names end as they do there, so they are written here and not by the
 * registry. The worker of the HTTP interface.
 */
final class MooncakeMetrics implements AdminAddition.MetricText {
  private static final Map<String, Call<?, ?>> SINGLE = single();
  private static final Map<String, Call<?, ?>> BATCH = batch();

  private final CallCounts calls;

  MooncakeMetrics(CallCounts calls) {
    this.calls = calls;
  }

  private static Map<String, Call<?, ?>> single() {
    Map<String, Call<?, ?>> calls = new LinkedHashMap<>();
    calls.put("put_start", ObjectCalls.PUT_START);
    calls.put("put_end", ObjectCalls.PUT_END);
    calls.put("put_revoke", ObjectCalls.PUT_REVOKE);
    calls.put("get_replica_list", ObjectCalls.GET_REPLICA_LIST);
    calls.put("get_replica_list_by_regex", ObjectCalls.GET_REPLICA_LIST_BY_REGEX);
    calls.put("exist_key", ObjectCalls.EXIST_KEY);
    calls.put("remove", ObjectCalls.REMOVE);
    calls.put("remove_by_regex", ObjectCalls.REMOVE_BY_REGEX);
    calls.put("remove_all", ObjectCalls.REMOVE_ALL);
    calls.put("mount_segment", SegmentCalls.MOUNT_SEGMENT);
    calls.put("unmount_segment", SegmentCalls.UNMOUNT_SEGMENT);
    calls.put("remount_segment", SegmentCalls.RE_MOUNT_SEGMENT);
    calls.put("ping", SegmentCalls.PING);
    calls.put("copy_start", TransferCalls.COPY_START);
    calls.put("copy_end", TransferCalls.COPY_END);
    calls.put("copy_revoke", TransferCalls.COPY_REVOKE);
    calls.put("move_start", TransferCalls.MOVE_START);
    calls.put("move_end", TransferCalls.MOVE_END);
    calls.put("move_revoke", TransferCalls.MOVE_REVOKE);
    calls.put("evict_disk_replica", DiskCalls.EVICT_DISK_REPLICA);
    calls.put("create_copy_task", TransferCalls.CREATE_COPY_TASK);
    calls.put("create_move_task", TransferCalls.CREATE_MOVE_TASK);
    calls.put("query_task", TransferCalls.QUERY_TASK);
    calls.put("fetch_tasks", TransferCalls.FETCH_TASKS);
    calls.put("update_task", TransferCalls.MARK_TASK_TO_COMPLETE);
    return calls;
  }

  private static Map<String, Call<?, ?>> batch() {
    Map<String, Call<?, ?>> calls = new LinkedHashMap<>();
    calls.put("exist_key", ObjectCalls.BATCH_EXIST_KEY);
    calls.put("get_replica_list", ObjectCalls.BATCH_GET_REPLICA_LIST);
    calls.put("put_start", ObjectCalls.BATCH_PUT_START);
    calls.put("put_end", ObjectCalls.BATCH_PUT_END);
    calls.put("put_revoke", ObjectCalls.BATCH_PUT_REVOKE);
    return calls;
  }

  @Override
  public String of(MasterStats.Snapshot now, List<SegmentInfo> segments) {
    Text text = new Text();
    space(text, now, segments);
    clients(text, now);
    requests(text);
    text.counter("master_evicted_key_count", "Objects that eviction took memory from")
        .value(now.evictedObjects());
    text.counter("master_evicted_size_bytes", "Bytes that eviction freed")
        .value(now.evictedBytes());
    promotions(text, now.promotions());
    return text.toString();
  }

  private static void space(Text text, MasterStats.Snapshot now, List<SegmentInfo> segments) {
    text.gauge("master_allocated_bytes", "Memory in use").value(now.memoryUsedBytes());
    text.gauge("master_total_capacity_bytes", "Memory that is mounted")
        .value(now.memoryCapacityBytes());
    // Segments may share a name, a series must be there once.
    Map<String, Long> used = new TreeMap<>();
    Map<String, Long> size = new TreeMap<>();
    long diskUsed = 0;
    long diskSize = 0;
    for (SegmentInfo segment : segments) {
      if (segment.spec().kind() == SegmentKind.MEMORY) {
        used.merge(segment.spec().name(), segment.usedBytes(), Long::sum);
        size.merge(segment.spec().name(), segment.spec().size(), Long::sum);
      } else {
        diskUsed += segment.usedBytes();
        diskSize += segment.spec().size();
      }
    }
    text.gauge("segment_allocated_bytes", "Memory in use of a segment").values("segment", used);
    text.gauge("segment_total_capacity_bytes", "Memory of a segment").values("segment", size);
    text.gauge("master_allocated_file_size_bytes", "Bytes on disks").value(diskUsed);
    text.gauge("master_total_file_capacity_bytes", "Room on disks").value(diskSize);
    text.gauge("master_key_count", "Objects").value(now.objects());
  }

  private static void clients(Text text, MasterStats.Snapshot now) {
    Map<ClientState, Integer> clients = now.clients();
    int active = clients.getOrDefault(ClientState.ACTIVE, 0);
    text.gauge("master_active_clients", "Clients that are ACTIVE").value(active);
    text.gauge("master_client_liveness_active_clients", "Clients that are ACTIVE").value(active);
    text.gauge("master_client_liveness_suspected_clients", "Clients that are SUSPECTED")
        .value(clients.getOrDefault(ClientState.SUSPECTED, 0));
    text.gauge("master_client_liveness_offline_clients", "Clients that are OFFLINE")
        .value(clients.getOrDefault(ClientState.OFFLINE, 0));
    text.counter("master_client_liveness_suspected_transitions_total", "ACTIVE to SUSPECTED")
        .value(now.suspectedTransitions());
    text.counter("master_client_liveness_recoveries_total", "SUSPECTED to ACTIVE")
        .value(now.recoveries());
    text.counter("master_client_liveness_offline_transitions_total", "SUSPECTED to OFFLINE")
        .value(now.offlineTransitions());
  }

  private void requests(Text text) {
    SINGLE.forEach(
        (name, call) -> {
          CallCounts.Count count = calls.of(call);
          String prefix = "master_" + name;
          text.counter(prefix + "_requests_total", "Calls of Mooncake's clients")
              .value(count.requests());
          text.counter(prefix + "_failures_total", "Calls of Mooncake's clients that failed")
              .value(count.failures());
        });
    BATCH.forEach(
        (name, call) -> {
          CallCounts.Count count = calls.of(call);
          String prefix = "master_batch_" + name;
          text.counter(prefix + "_requests_total", "Batches of Mooncake's clients")
              .value(count.requests());
          text.counter(prefix + "_failures_total", "Batches that failed with every item")
              .value(count.failures());
          text.counter(prefix + "_partial_successes_total", "Batches of which some items failed")
              .value(count.partial());
          text.counter(prefix + "_items_total", "Items of batches").value(count.items());
          text.counter(prefix + "_failed_items_total", "Items of batches that failed")
              .value(count.failedItems());
        });
  }

  private static void promotions(Text text, MasterStats.PromotionFigures promotions) {
    String prefix = "master_promotion_";
    text.gauge(prefix + "in_flight", "Objects on their way from a disk to memory")
        .value(promotions.waiting() + promotions.open());
    text.counter(prefix + "admitted_total", "Promotions that were begun")
        .value(promotions.admitted());
    text.counter(prefix + "completed_total", "Objects that came back into memory")
        .value(promotions.completed());
    text.counter(prefix + "completed_bytes_total", "Bytes that came back into memory")
        .value(promotions.completedBytes());
    text.counter(prefix + "expired_total", "Promotions that were not ended in time")
        .value(promotions.expired());
    text.counter(prefix + "failed_total", "Promotions that failed").value(promotions.failed());
    text.counter(prefix + "cancelled_total", "Promotions of what went meanwhile")
        .value(promotions.cancelled());
    text.counter(prefix + "rejected_frequency_total", "Reads that were too few")
        .value(promotions.rare());
    text.counter(prefix + "rejected_watermark_total", "Reads while memory was full")
        .value(promotions.memoryFull());
    text.counter(prefix + "rejected_cap_total", "Reads while too many were under way")
        .value(promotions.queueFull());
  }

  /** The text format of Prometheus. */
  private static final class Text {
    private final StringBuilder out = new StringBuilder();
    private String name = "";

    Text gauge(String metric, String help) {
      return head(metric, "gauge", help);
    }

    Text counter(String metric, String help) {
      return head(metric, "counter", help);
    }

    private Text head(String metric, String type, String help) {
      name = metric;
      out.append("# HELP ").append(metric).append(' ').append(help).append('\n');
      out.append("# TYPE ").append(metric).append(' ').append(type).append('\n');
      return this;
    }

    void value(long value) {
      out.append(name).append(' ').append(value).append('\n');
    }

    void values(String label, Map<String, Long> values) {
      values.forEach(
          (of, value) ->
              out.append(name)
                  .append('{')
                  .append(label)
                  .append("=\"")
                  .append(escaped(of))
                  .append("\"} ")
                  .append(value)
                  .append('\n'));
    }

    private static String escaped(String value) {
      return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    @Override
    public String toString() {
      return out.toString();
    }
  }
}
