package io.moonpool.master;

import io.moonpool.core.allocation.PoolUsage;
import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.master.api.ApiVerticle;
import io.moonpool.master.drain.DrainCounts;
import io.moonpool.master.heartbeat.HeartbeatVerticle;
import io.moonpool.master.journal.Journal;
import io.moonpool.master.journal.JournalStats;
import io.moonpool.master.loop.MasterLoops;
import io.moonpool.master.loop.PortLimits;
import io.moonpool.master.metadata.MetadataProxy;
import io.moonpool.master.metadata.MetadataStats;
import io.moonpool.master.monitor.LivenessCounts;
import io.moonpool.master.segment.SegmentVerticle;
import io.moonpool.protocol.frame.FrameCounter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up what the loops count. Any thread. */
record LoopStats(
    MasterLoops masterLoops,
    CallMeters meters,
    MetadataProxy metadata,
    PoolUsage usage,
    LivenessCounts liveness,
    SegmentVerticle segments,
    HeartbeatVerticle heartbeat,
    List<ApiVerticle> listeners,
    CountedPings interfacePings,
    ObservedClock clock,
    Journal journal,
    DrainCounts drains)
    implements MasterStats {
  @Override
  public Snapshot snapshot() {
    MetadataStats objects = metadata.stats();
    return new Snapshot(
        meters.counts(),
        objects.objects(),
        objects.index(),
        usage.usedBytes(),
        usage.capacityBytes(),
        objects.quarantinedBytes(),
        objects.evictedObjects(),
        objects.evictedBytes(),
        objects.reapedWrites(),
        objects.offloads(),
        objects.promotions(),
        heartbeat.pings()
            + listeners.stream().mapToLong(ApiVerticle::pings).sum()
            + interfacePings.count(),
        liveness.clients(),
        liveness.suspectedTransitions(),
        liveness.recoveries(),
        liveness.offlineTransitions(),
        liveness.left(),
        journalFigures(),
        drains.figures(),
        frames(),
        ports(),
        livenessFigures(),
        masterLoops.all().stream()
            .map(
                loop ->
                    new LoopCounts(
                        loop.name(),
                        loop.queue().depth(),
                        loop.queue().refused(),
                        loop.meter().longest(),
                        loop.meter().longHandlers()))
            .toList());
  }

  @Override
  public CallTimes times(MasterCall call) {
    return meters.times(call);
  }

  private LivenessFigures livenessFigures() {
    LivenessCounts.Breaker breaker = liveness.breaker();
    return new LivenessFigures(
        clock.millis(),
        breaker.holding(),
        breaker.held(),
        breaker.trips(),
        segments.mountsRunning(),
        segments.mountsWaiting(),
        segments.segmentsRamping());
  }

  private JournalFigures journalFigures() {
    JournalStats figures = journal.stats();
    return new JournalFigures(
        journal.isFailed(),
        figures.records(),
        figures.groups(),
        figures.failures(),
        figures.bytes(),
        metadata.diskFloors());
  }

  private Map<String, PortCounts> ports() {
    Map<String, PortCounts> ports = new HashMap<>();
    ports.put(
        "heartbeat",
        new PortCounts(
            heartbeat.connections(),
            heartbeat.refusedConnections(),
            heartbeat.malformedConnections()));
    for (PortLimits.Port port : masterLoops.limits().all()) {
      ports.put(port.name(), new PortCounts(port.limit().open(), port.limit().refused(), 0));
    }
    return ports;
  }

  private FrameCounts frames() {
    long closed = sum(FrameCounter.CONNECTIONS_CLOSED);
    long opened = sum(FrameCounter.CONNECTIONS_OPENED);
    return new FrameCounts(
        Math.max(0, opened - closed),
        opened,
        sum(FrameCounter.CONNECTIONS_REFUSED),
        sum(FrameCounter.STALLED_CONNECTIONS),
        sum(FrameCounter.MALFORMED_FRAMES),
        sum(FrameCounter.MALFORMED_BODIES) + sum(FrameCounter.UNKNOWN_FUNCTIONS),
        sum(FrameCounter.FRAMES_IN),
        sum(FrameCounter.FRAMES_OUT),
        sum(FrameCounter.BYTES_IN),
        sum(FrameCounter.BYTES_OUT));
  }

  private long sum(FrameCounter counter) {
    return listeners.stream().mapToLong(listener -> listener.count(counter)).sum();
  }

  @Override
  public long observedMillis() {
    return clock.millis();
  }
}
