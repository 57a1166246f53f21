package io.moonpool.master.admin.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.moonpool.master.MasterCall;
import io.moonpool.master.MasterStats;
import io.moonpool.master.MasterStats.CallCounts;
import io.moonpool.master.MasterStats.LoopCounts;
import io.moonpool.master.drain.DrainCounts;
import io.moonpool.model.ClientState;
import io.moonpool.model.JobStatus;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.TaskStatus;
import io.moonpool.protocol.json.JsonForms;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The master's own meters. All of them read one picture that is taken at the start of a scrape, so
 * that a scrape is consistent and reads each counter once.
 */
public final class MasterFigures {
  /** What one scrape shows. */
  private record Picture(MasterStats.Snapshot stats, Map<SegmentStatus, Integer> segments) {
    DrainCounts.Figures drains() {
      return stats.drains();
    }
  }

  private static final CallCounts NO_CALLS = new CallCounts(0, 0, 0, 0);

  private final MeterRegistry registry;
  private volatile Picture picture;

  /**
   * Registers the meters.
   *
   * @param first a snapshot that already names the master's event loops; their number is fixed
   * @param version of the program
   */
  public MasterFigures(MeterRegistry registry, MasterStats.Snapshot first, String version) {
    this.registry = registry;
    picture = new Picture(first, Map.of());
    registerCalls();
    registerMemory();
    registerOffloads();
    registerPromotions();
    registerJournal();
    registerClientsAndSegments();
    registerDrains();
    registerFrames();
    registerPorts();
    for (int i = 0; i < first.loops().size(); i++) {
      registerLoop(i, first.loops().get(i).name());
    }
    Gauge.builder("moonpool.build.info", () -> 1)
        .description("Always 1; the label names the version of the master's program")
        .tags("version", version)
        .register(registry);
  }

  /** Takes a new picture; call before a scrape. Any thread may call. */
  public void update(MasterStats.Snapshot stats, List<SegmentInfo> segments) {
    Map<SegmentStatus, Integer> byStatus = new EnumMap<>(SegmentStatus.class);
    for (SegmentInfo segment : segments) {
      byStatus.merge(segment.status(), 1, Integer::sum);
    }
    picture = new Picture(stats, byStatus);
  }

  private void registerCalls() {
    for (MasterCall call : MasterCall.values()) {
      Tags tags = Tags.of("call", JsonForms.name(call));
      counter(
          "calls",
          "Calls through any interface; a batch is one",
          tags,
          p -> of(p, call).requests());
      counter("call.items", "Keys or segments in those calls", tags, p -> of(p, call).items());
      counter(
          "failed.calls",
          "Calls that failed as a whole or with every item",
          tags,
          p -> of(p, call).failedRequests());
      counter("failed.call.items", "Items that failed", tags, p -> of(p, call).failedItems());
    }
  }

  private static CallCounts of(Picture picture, MasterCall call) {
    return picture.stats.calls().getOrDefault(call, NO_CALLS);
  }

  private void registerMemory() {
    Tags none = Tags.empty();
    gauge(
        "objects",
        "Objects in the index, unfinished writes included",
        none,
        p -> p.stats.objects());
    gauge(
        "index.bytes",
        "Memory of the index outside of the heap",
        none,
        p -> p.stats.index().bytes());
    gauge(
        "index.used.bytes",
        "Of the memory of the index outside of the heap, what objects, replicas and keys take; the"
            + " rest is for the next ones",
        none,
        p -> p.stats.index().usedBytes());
    gauge(
        "memory.used.bytes",
        "Allocated memory of all segments, quarantined extents included",
        none,
        p -> p.stats.memoryUsedBytes());
    gauge(
        "memory.capacity.bytes",
        "Memory of all mounted segments",
        none,
        p -> p.stats.memoryCapacityBytes());
    gauge(
        "memory.quarantined.bytes",
        "Freed extents that somebody may still touch",
        none,
        p -> p.stats.quarantinedBytes());
    counter(
        "evicted.objects",
        "Objects that eviction took memory from",
        none,
        p -> p.stats.evictedObjects());
    counter("evicted.bytes", "Bytes that eviction freed", none, p -> p.stats.evictedBytes());
    counter("reaped.writes", "Unfinished writes that timed out", none, p -> p.stats.reapedWrites());
  }

  private void registerOffloads() {
    Tags none = Tags.empty();
    gauge(
        "offloads.waiting",
        "Objects in memory that wait for their node to copy them to its disk",
        none,
        p -> p.stats.offloads().waiting());
    gauge(
        "offloads.open",
        "Objects that nodes are copying from memory to disk",
        none,
        p -> p.stats.offloads().open());
    gauge(
        "offloads.to.retry",
        "Objects in memory that a disk could not take or store, and that wait to be tried again",
        none,
        p -> p.stats.offloads().toRetry());
    counter(
        "offloads.retried",
        "Objects that were queued again for a disk that could not take or store them",
        none,
        p -> p.stats.offloads().retried());
    counter(
        "offloads.stored",
        "Objects that nodes copied from memory to disk",
        none,
        p -> p.stats.offloads().stored());
    counter(
        "offloads.failed",
        "Times that a disk could not store an object",
        none,
        p -> p.stats.offloads().failed());
  }

  private void registerPromotions() {
    Tags none = Tags.empty();
    gauge(
        "promotions.waiting",
        "Objects on disk that wait for their node to bring them back into memory",
        none,
        p -> p.stats.promotions().waiting());
    gauge(
        "promotions.open",
        "Objects on disk that nodes are bringing back into memory",
        none,
        p -> p.stats.promotions().open());
    gauge(
        "promotion.candidates",
        "Objects on disk that are read often and for which there was no room",
        none,
        p -> p.stats.promotions().candidates());
    counter(
        "promotions.admitted",
        "Objects on disk that were to come back into memory since they were read",
        none,
        p -> p.stats.promotions().admitted());
    rejected("frequency", p -> p.stats.promotions().rare());
    rejected("memory", p -> p.stats.promotions().memoryFull());
    rejected("queue", p -> p.stats.promotions().queueFull());
    counter(
        "promotions.completed",
        "Objects that came back into memory",
        none,
        p -> p.stats.promotions().completed());
    counter(
        "promotions.completed.bytes",
        "Bytes of objects that came back into memory",
        none,
        p -> p.stats.promotions().completedBytes());
    counter(
        "promotions.failed",
        "Objects that could not be read from disk, or found no space",
        none,
        p -> p.stats.promotions().failed());
    counter(
        "promotions.expired",
        "Objects that their node did not take, or did not bring back, in time",
        none,
        p -> p.stats.promotions().expired());
    counter(
        "promotions.cancelled",
        "Objects that went, or whose disk or memory went, on the way back",
        none,
        p -> p.stats.promotions().cancelled());
  }

  private void rejected(String reason, ToDoubleFunction<Picture> figure) {
    counter(
        "promotions.rejected",
        "Reads of objects on disk that did not bring them back",
        Tags.of("reason", reason),
        figure);
  }

  private void registerClientsAndSegments() {
    counter("pings", "Pings answered, over any port", Tags.empty(), p -> p.stats.pings());
    for (ClientState state : ClientState.values()) {
      gauge(
          "clients",
          "Registered nodes",
          Tags.of("state", JsonForms.name(state)),
          p -> p.stats.clients().getOrDefault(state, 0));
    }
    transitions(ClientState.SUSPECTED, p -> p.stats.suspectedTransitions());
    transitions(ClientState.ACTIVE, p -> p.stats.recoveries());
    transitions(ClientState.OFFLINE, p -> p.stats.offlineTransitions());
    counter(
        "client.departures",
        "Nodes that went offline by their own wish",
        Tags.empty(),
        p -> p.stats.departures());
    registerLiveness();
    for (SegmentStatus status : SegmentStatus.values()) {
      if (status != SegmentStatus.UNDEFINED) {
        gauge(
            "segments",
            "Segments",
            Tags.of("status", JsonForms.name(status)),
            p -> p.segments.getOrDefault(status, 0));
      }
    }
  }

  private void registerLiveness() {
    Tags none = Tags.empty();
    counter(
        "observed.seconds",
        "Time that the liveness of nodes counts by: that in which the master could have heard them",
        none,
        p -> p.stats.liveness().observedMillis() / 1e3);
    gauge(
        "offline.held",
        "1 while nodes are kept from going offline, since it looks as if the way to them were cut",
        none,
        p -> p.stats.liveness().offlineHeld() ? 1 : 0);
    gauge(
        "offline.held.clients",
        "Nodes that would have gone offline by now and are kept",
        none,
        p -> p.stats.liveness().heldClients());
    counter(
        "offline.holds",
        "Times that nodes began to be kept from going offline",
        none,
        p -> p.stats.liveness().offlineHolds());
    gauge(
        "mounts.running",
        "Calls that mount segments and are carried out",
        none,
        p -> p.stats.liveness().mountsRunning());
    gauge(
        "mounts.waiting",
        "Calls that mount segments and wait for their turn",
        none,
        p -> p.stats.liveness().mountsWaiting());
    gauge(
        "segments.ramping",
        "Segments that joined lately and take less than their share of new objects",
        none,
        p -> p.stats.liveness().rampingSegments());
  }

  private void registerDrains() {
    Tags none = Tags.empty();
    gauge("drain.jobs.live", "Drain jobs that have not ended", none, p -> p.drains().liveJobs());
    ended(JobStatus.SUCCEEDED, p -> p.drains().succeededJobs());
    ended(JobStatus.FAILED, p -> p.drains().failedJobs());
    ended(JobStatus.CANCELED, p -> p.drains().canceledJobs());
    gauge(
        "drain.units.active",
        "Objects that drains are moving",
        none,
        p -> p.drains().activeUnits());
    units("succeeded", p -> p.drains().succeededUnits());
    units("dropped", p -> p.drains().droppedUnits());
    units("gone", p -> p.drains().goneUnits());
    units("failed", p -> p.drains().failedUnits());
    units("lost", p -> p.drains().lostUnits());
    counter(
        "drain.failed.attempts",
        "Tries of drains to move an object that failed",
        none,
        p -> p.drains().failedAttempts());
    counter(
        "drain.migrated.bytes",
        "Sizes of the objects that drains moved",
        none,
        p -> p.drains().migratedBytes());
    gauge(
        "tasks",
        "Copies and moves of objects that have not ended",
        Tags.of("status", JsonForms.name(TaskStatus.PENDING)),
        p -> p.drains().pendingTasks());
    gauge(
        "tasks",
        "Copies and moves of objects that have not ended",
        Tags.of("status", JsonForms.name(TaskStatus.PROCESSING)),
        p -> p.drains().processingTasks());
    counter(
        "tasks.ended",
        "Copies and moves of objects that have ended",
        Tags.of("status", JsonForms.name(TaskStatus.SUCCESS)),
        p -> p.drains().succeededTasks());
    counter(
        "tasks.ended",
        "Copies and moves of objects that have ended",
        Tags.of("status", JsonForms.name(TaskStatus.FAILED)),
        p -> p.drains().failedTasks());
  }

  private void ended(JobStatus how, ToDoubleFunction<Picture> count) {
    counter(
        "drain.jobs.ended",
        "Drain jobs that have ended",
        Tags.of("status", JsonForms.name(how)),
        count);
  }

  private void units(String end, ToDoubleFunction<Picture> count) {
    counter(
        "drain.units",
        "Objects that left the sources of drains, or will not",
        Tags.of("end", end),
        count);
  }

  private void registerFrames() {
    Tags none = Tags.empty();
    gauge(
        "frame.connections",
        "Open connections of the main port",
        none,
        p -> p.stats.frames().connections());
    counter(
        "frame.connections.opened",
        "Connections of the main port that were opened",
        none,
        p -> p.stats.frames().opened());
    counter(
        "frame.connections.refused",
        "Connections of the main port beyond max_connections",
        none,
        p -> p.stats.frames().refused());
    counter(
        "frame.connections.stalled",
        "Connections closed since the peer stopped in a frame, or stopped reading",
        none,
        p -> p.stats.frames().stalled());
    counter(
        "frame.malformed.connections",
        "Connections closed for bytes that are no frame",
        none,
        p -> p.stats.frames().malformedConnections());
    counter(
        "frame.malformed.calls",
        "Calls that cannot be read, or of functions that are not served",
        none,
        p -> p.stats.frames().malformedCalls());
    counter(
        "frames.received",
        "Frames received on the main port",
        none,
        p -> p.stats.frames().framesReceived());
    counter(
        "frames.sent", "Frames sent from the main port", none, p -> p.stats.frames().framesSent());
    counter(
        "frame.bytes.received",
        "Bytes received on the main port",
        none,
        p -> p.stats.frames().bytesReceived());
    counter(
        "frame.bytes.sent",
        "Bytes sent from the main port",
        none,
        p -> p.stats.frames().bytesSent());
  }

  private void registerPorts() {
    for (String port : List.of("heartbeat", "grpc", "http")) {
      Tags tags = Tags.of("port", port);
      gauge(
          "port.connections",
          "Open connections of the other ports",
          tags,
          p -> port(p, port).connections());
      counter(
          "port.connections.refused",
          "Connections of the other ports that were closed since there were max_connections",
          tags,
          p -> port(p, port).refused());
    }
    counter(
        "heartbeat.malformed.connections",
        "Connections of the heartbeat port that were closed for bytes that are no ping",
        Tags.empty(),
        p -> port(p, "heartbeat").malformed());
  }

  private static MasterStats.PortCounts port(Picture picture, String name) {
    return picture.stats.ports().getOrDefault(name, new MasterStats.PortCounts(0, 0, 0));
  }

  private void transitions(ClientState to, ToDoubleFunction<Picture> count) {
    counter(
        "client.transitions",
        "Changes of the liveness of nodes",
        Tags.of("to", JsonForms.name(to)),
        count);
  }

  private void registerJournal() {
    Tags none = Tags.empty();
    gauge(
        "journal.failed",
        "1 while the journal cannot be written, so that removals are refused",
        none,
        p -> p.stats.journal().failed() ? 1 : 0);
    gauge("journal.bytes", "Length of the journal", none, p -> p.stats.journal().bytes());
    counter(
        "journal.records",
        "Records appended to the journal",
        none,
        p -> p.stats.journal().records());
    counter(
        "journal.syncs",
        "Writes to the journal that were forced to disk",
        none,
        p -> p.stats.journal().syncs());
    counter(
        "journal.failures",
        "Writes to the journal that failed",
        none,
        p -> p.stats.journal().failures());
    gauge(
        "disk.floors",
        "Removals and overwrites that are remembered for disks",
        none,
        p -> p.stats.journal().floors());
  }

  private void registerLoop(int index, String name) {
    Tags tags = Tags.of("loop", name);
    gauge(
        "loop.queue.depth",
        "Commands that wait for the loop",
        tags,
        p -> at(p, index).queueDepth());
    counter(
        "loop.refused", "Commands that found the queue full", tags, p -> at(p, index).refused());
    gauge(
        "loop.longest.handler.seconds",
        "Most CPU time that one handler used",
        tags,
        p -> at(p, index).longestHandlerNanos() / 1e9);
    counter(
        "loop.long.handlers",
        "Handlers that used more than 10 ms of CPU time",
        tags,
        p -> at(p, index).longHandlers());
  }

  private static LoopCounts at(Picture picture, int loop) {
    return picture.stats.loops().get(loop);
  }

  private void gauge(String name, String description, Tags tags, ToDoubleFunction<Picture> figure) {
    Gauge.builder("moonpool." + name, this, f -> figure.applyAsDouble(f.picture))
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private void counter(
      String name, String description, Tags tags, ToDoubleFunction<Picture> figure) {
    FunctionCounter.builder("moonpool." + name, this, f -> figure.applyAsDouble(f.picture))
        .description(description)
        .tags(tags)
        .register(registry);
  }
}
