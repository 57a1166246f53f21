package io.moonpool.master;

import io.moonpool.master.drain.DrainCounts;
import io.moonpool.master.loop.HandlerMeter;
import io.moonpool.model.ClientState;
import java.util.List;
import java.util.Map;

/**
 * The master's counters. Each loop counts in plain fields of its own; reading adds them up and
 * never waits for a loop. Any thread may call it.
 */
public interface MasterStats {
  /** All counters as they are now; each is exact, together they may be a moment apart. */
  Snapshot snapshot();

  /**
   * The observed clock that liveness counts on, in milliseconds since the start of the master. It
   * advances about every 100 ms while the heartbeat loop runs; readiness looks at it.
   */
  long observedMillis();

  /**
   * How long batches of a call took since the start of the master: from when it was asked for until
   * its answer was there, waiting for the loops included. Calls that take no batch count none.
   */
  CallTimes times(MasterCall call);

  /**
   * Counters since the start of the master, and gauges.
   *
   * @param calls per call, every call present
   * @param objects stored, unfinished writes included
   * @param index memory that the index takes outside of the heap
   * @param memoryUsedBytes allocated in mounted memory, quarantined extents included
   * @param memoryCapacityBytes mounted memory
   * @param quarantinedBytes freed extents that somebody may still touch
   * @param evictedObjects objects that eviction took memory from
   * @param evictedBytes bytes that eviction freed
   * @param reapedWrites unfinished writes that timed out
   * @param offloads objects that are copied from memory to disks
   * @param promotions objects that came back from disks into memory, or did not
   * @param pings answered, over any port
   * @param clients registered nodes by state, every state present
   * @param suspectedTransitions ACTIVE to SUSPECTED
   * @param recoveries SUSPECTED to ACTIVE
   * @param offlineTransitions SUSPECTED to OFFLINE
   * @param departures nodes that went OFFLINE by their own wish
   * @param journal what is remembered across restarts
   * @param drains drain jobs and tasks
   * @param frames of the main port
   * @param ports of the others, by what they are for
   * @param liveness of the clients as a whole, and how they join
   * @param loops one per event loop
   */
  record Snapshot(
      Map<MasterCall, CallCounts> calls,
      long objects,
      IndexFigures index,
      long memoryUsedBytes,
      long memoryCapacityBytes,
      long quarantinedBytes,
      long evictedObjects,
      long evictedBytes,
      long reapedWrites,
      OffloadFigures offloads,
      PromotionFigures promotions,
      long pings,
      Map<ClientState, Integer> clients,
      long suspectedTransitions,
      long recoveries,
      long offlineTransitions,
      long departures,
      JournalFigures journal,
      DrainCounts.Figures drains,
      FrameCounts frames,
      Map<String, PortCounts> ports,
      LivenessFigures liveness,
      List<LoopCounts> loops) {
    /** Copies maps and list. */
    public Snapshot {
      calls = Map.copyOf(calls);
      clients = Map.copyOf(clients);
      ports = Map.copyOf(ports);
      loops = List.copyOf(loops);
    }
  }

  /**
   * The liveness of the clients as a whole, and how they join.
   *
   * @param observedMillis the observed clock, since the start of the master
   * @param offlineHeld whether clients are kept from going OFFLINE
   * @param heldClients how many would have gone by now
   * @param offlineHolds how often that began
   * @param mountsRunning calls that mount segments and are carried out
   * @param mountsWaiting those that wait for their turn
   * @param rampingSegments segments that take less than their share of new objects, since they
   *     joined lately
   */
  record LivenessFigures(
      long observedMillis,
      boolean offlineHeld,
      int heldClients,
      long offlineHolds,
      int mountsRunning,
      int mountsWaiting,
      int rampingSegments) {}

  /**
   * The memory of the index outside of the heap. What keys and objects no longer need is used again
   * and not given back, so the first figure is what the most objects of any time took.
   *
   * @param bytes that its tables have
   * @param usedBytes of these, taken by objects, replicas and keys
   */
  record IndexFigures(long bytes, long usedBytes) {
    /** None. */
    public static final IndexFigures NONE = new IndexFigures(0, 0);

    /** The sum of both. */
    public IndexFigures plus(IndexFigures other) {
      return new IndexFigures(bytes + other.bytes, usedBytes + other.usedBytes);
    }
  }

  /**
   * Objects that are copied from memory to the disks of their nodes.
   *
   * @param waiting for the node that has memory and disk
   * @param open taken by nodes and not settled
   * @param toRetry could not be taken or stored, and wait to be tried again
   * @param retried of these, queued again since the start
   * @param stored are on disk
   * @param failed could not be stored, each time counted
   */
  record OffloadFigures(
      long waiting, long open, long toRetry, long retried, long stored, long failed) {
    /** None. */
    public static final OffloadFigures NONE = new OffloadFigures(0, 0, 0, 0, 0, 0);

    /** The sum of both. */
    public OffloadFigures plus(OffloadFigures other) {
      return new OffloadFigures(
          waiting + other.waiting,
          open + other.open,
          toRetry + other.toRetry,
          retried + other.retried,
          stored + other.stored,
          failed + other.failed);
    }
  }

  /**
   * Objects on disk that are read often and come back into memory. All that were admitted wait, are
   * open, or have ended in one of four ways.
   *
   * @param waiting for the node that has the disk
   * @param open taken by nodes and not settled
   * @param candidates to be admitted when there is room
   * @param admitted since the start
   * @param rare reads that were too few
   * @param memoryFull reads that found no room in memory
   * @param queueFull reads while too many were under way
   * @param completed are in memory
   * @param completedBytes the bytes of these
   * @param failed could not be read, or found no space
   * @param expired were not taken or settled in time
   * @param cancelled since object, disk or memory went meanwhile
   */
  record PromotionFigures(
      long waiting,
      long open,
      long candidates,
      long admitted,
      long rare,
      long memoryFull,
      long queueFull,
      long completed,
      long completedBytes,
      long failed,
      long expired,
      long cancelled) {
    /** None. */
    public static final PromotionFigures NONE =
        new PromotionFigures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** The sum of both. */
    public PromotionFigures plus(PromotionFigures other) {
      return new PromotionFigures(
          waiting + other.waiting,
          open + other.open,
          candidates + other.candidates,
          admitted + other.admitted,
          rare + other.rare,
          memoryFull + other.memoryFull,
          queueFull + other.queueFull,
          completed + other.completed,
          completedBytes + other.completedBytes,
          failed + other.failed,
          expired + other.expired,
          cancelled + other.cancelled);
    }
  }

  /**
   * The journal's.
   *
   * @param failed it cannot be written now
   * @param records that were appended
   * @param syncs each made durable what waited for it
   * @param failures of writing
   * @param bytes of its file
   * @param floors removals and overwrites that are remembered for disks, durable or not
   */
  record JournalFigures(
      boolean failed, long records, long syncs, long failures, long bytes, long floors) {}

  /**
   * One call.
   *
   * @param requests calls
   * @param items keys or segments in them
   * @param failedRequests calls that failed as a whole, or with every item
   * @param failedItems items that failed
   */
  record CallCounts(long requests, long items, long failedRequests, long failedItems) {}

  /**
   * The main port.
   *
   * @param connections open now
   * @param opened connections
   * @param refused connections, since there were too many
   * @param stalled connections closed since the peer stopped in a frame, or stopped reading
   * @param malformedConnections connections closed for bytes that are no frame
   * @param malformedCalls calls that cannot be read, or of functions that are not served
   */
  record FrameCounts(
      long connections,
      long opened,
      long refused,
      long stalled,
      long malformedConnections,
      long malformedCalls,
      long framesReceived,
      long framesSent,
      long bytesReceived,
      long bytesSent) {}

  /**
   * A port.
   *
   * @param connections open now
   * @param refused connections that were closed since there were too many
   * @param malformed connections of the heartbeat port that were closed for bytes that are no ping
   */
  record PortCounts(long connections, long refused, long malformed) {}

  /**
   * One event loop.
   *
   * @param name of its thread
   * @param queueDepth commands that wait for it
   * @param refused commands that found its queue full
   * @param longest the handlers that used most thread CPU time, one of each name, the longest first
   * @param longHandlers handlers that used more than 10 ms of thread CPU time
   */
  record LoopCounts(
      String name,
      int queueDepth,
      long refused,
      List<HandlerMeter.Longest> longest,
      long longHandlers) {
    /** Most thread CPU time that one handler used; 0 when none used much. */
    public long longestHandlerNanos() {
      return longest.isEmpty() ? 0 : longest.getFirst().nanos();
    }
  }
}
