package io.moonpool.master.metadata;

import io.moonpool.core.allocation.AllocatableSegments;
import io.moonpool.core.allocation.AllocationResult;
import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.allocation.Placement;
import io.moonpool.core.allocation.PoolUsage;
import io.moonpool.core.allocation.PublishedPlacement;
import io.moonpool.core.floor.FloorMap;
import io.moonpool.core.index.IndexConfig;
import io.moonpool.core.index.IndexEffects;
import io.moonpool.core.index.LaneRoom;
import io.moonpool.core.index.ObjectIndex;
import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.index.PatternFloor;
import io.moonpool.core.index.ShardMail;
import io.moonpool.core.index.StartedWrite;
import io.moonpool.core.index.TransferEffects;
import io.moonpool.core.segment.AvoidedNodes;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.journal.Journal;
import io.moonpool.master.journal.JournalRecord;
import io.moonpool.master.journal.JournalState;
import io.moonpool.master.journal.JournaledDisk;
import io.moonpool.master.loop.MasterLoop;
import io.moonpool.master.loop.StepBudget;
import io.moonpool.model.ClientProtocol;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicateConfig;
import io.vertx.core.Future;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What one metadata loop owns: the index of its shards, its view of the segments, and scratch
 * objects that are filled again for each key, so that a batch allocates little more than its
 * answer.
 */
final class MetadataShards implements IndexEffects {
  private static final long LOOK_MILLIS = 10;
  private static final long[] NOTHING_AVOIDED = {};

  /** Objects to be promoted later that are looked at at a time. */
  private static final int CANDIDATES_A_LOOK = 128;

  private final MasterConfig config;
  private final MasterLoop loop;
  private final LongSupplier clockMillis;
  private final PublishedPlacement placement;
  private final MetadataNeighbours neighbours;
  private final DurableFloors floors;
  private final int firstShard;
  private final int endShard;
  private final SegmentTable segments = new SegmentTable();
  private final AvoidedNodes avoidedNodes = new AvoidedNodes(segments);
  private final ObjectIndex index;
  private final SplittableRandom random;
  private final Evictor evictor;
  private final SpaceWaiters space;
  private final RetryLog retries;

  private final ObjectKey key = new ObjectKey();
  private final ExtentList extents = new ExtentList();
  private final StartedWrite started = new StartedWrite();
  private final LocatedObjectSink located;
  private final boolean promotes;
  private final StepBudget timed = new StepBudget();
  private final double highWatermark;
  private final boolean evicts;

  private long[] hashes = {};
  private boolean working;

  MetadataShards(
      MasterConfig config,
      MasterLoop loop,
      int loops,
      int firstShard,
      int endShard,
      LongSupplier clockMillis,
      PublishedPlacement placement,
      PoolUsage usage,
      SpaceNeed need,
      MetadataNeighbours neighbours,
      Journal journal,
      long firstSequence,
      long seed) {
    this.config = config;
    this.loop = loop;
    this.firstShard = firstShard;
    this.endShard = endShard;
    this.clockMillis = clockMillis;
    this.placement = placement;
    this.neighbours = neighbours;
    this.floors = new DurableFloors(journal, loop);
    this.index =
        new ObjectIndex(
            firstShard,
            endShard,
            new IndexConfig(
                config.leaseTtlMillis(),
                config.clockSkewMillis(),
                firstSequence,
                config.offload().policy(loops),
                config.promotion().policy(loops),
                config.writeGrantMillis(ClientProtocol.MOONCAKE)),
            segments,
            this,
            new IndexBlocks());
    this.random = new SplittableRandom(seed);
    this.highWatermark = config.evictionHighWatermark();
    this.evicts = config.evictionRatio() > 0;
    this.evictor = new Evictor(config, this, usage, need, neighbours::comingBytes);
    this.space = new SpaceWaiters(loop, this, config.putSpaceWaitMillis());
    this.retries = new RetryLog(loop.name());
    this.located = new LocatedObjectSink(config.leaseTtlMillis());
    this.promotes = config.promotion().onHit();
  }

  @Override
  public void free(int slot, long generation, long offsetUnits, long length, int node) {
    placement.current().free(slot, generation, offsetUnits, node);
    if (segments.isAllocatable(slot, generation)) {
      neighbours.spaceCame();
    }
  }

  @Override
  public void floor(int disk, long keyHash, long version) {
    floors.add(disk, keyHash, version);
  }

  @Override
  public void offload(int slot, long generation) {
    neighbours.workFor(new SegmentMount(slot, generation));
  }

  @Override
  public void send(ShardMail letter) {
    neighbours.deliver(letter);
  }

  /** A dead record is gone from a disk for good. */
  void acknowledge(SegmentMount disk, ObjectKey key, long version) {
    long floor = index.ackDropped(disk.slot(), disk.generation(), key.hash(), version, nowMillis());
    if (floor != 0) {
      floors.acknowledge(segments.disk(disk.slot()), key.hash(), floor);
    }
  }

  /** Takes over what the journal remembers of disks; before the loop starts. */
  void restore(JournalState remembered) {
    for (JournaledDisk disk : remembered.disks()) {
      index.addDisk(disk.number(), disk.deadBelow(), disk.voided());
    }
    remembered.forEachFloor(index::restoreFloor);
    remembered.forEachPattern((floor, disks) -> index.restorePattern(restored(floor), disks));
  }

  private static PatternFloor restored(JournalRecord.PatternFloorAdded floor) {
    FloorMap survivors = new FloorMap();
    for (int i = 0; i < floor.survivors().size(); i++) {
      survivors.raise(floor.survivors().hash(i), floor.survivors().version(i));
    }
    return new PatternFloor(
        KeyPattern.remembered(floor.keys()),
        floor.firstShard(),
        floor.endShard(),
        floor.below(),
        survivors);
  }

  /** The floors of this loop that are to be made durable. */
  DurableFloors floors() {
    return floors;
  }

  /** Takes mail that the shards of another loop sent. */
  void accept(ShardMail letter) {
    index.accept(letter, nowMillis());
    settleMail();
  }

  /** The first of its shards. */
  int firstShard() {
    return firstShard;
  }

  /** The first shard behind its own. */
  int endShard() {
    return endShard;
  }

  MasterLoop loop() {
    return loop;
  }

  /** Monotonic milliseconds since the master started. */
  long nowMillis() {
    return clockMillis.getAsLong();
  }

  ObjectIndex index() {
    return index;
  }

  SegmentTable segments() {
    return segments;
  }

  SpaceWaiters space() {
    return space;
  }

  Evictor evictor() {
    return evictor;
  }

  /** The key of the item that runs now. */
  ObjectKey key() {
    return key;
  }

  /** Room for the hashes of so many keys of the part that runs now. */
  long[] hashes(int count) {
    if (hashes.length < count) {
      hashes = new long[count];
    }
    return hashes;
  }

  /** Space of the item that runs now. */
  ExtentList extents() {
    return extents;
  }

  /** The write that the item that runs now has started. */
  StartedWrite started() {
    return started;
  }

  /** The location that the item that runs now has found. */
  LocatedObjectSink located() {
    return located;
  }

  /**
   * Finds space for an object; it is in {@link #extents} on ALLOCATED.
   *
   * @param writer decides which segments can be used
   */
  AllocationResult allocate(ReplicateConfig wish, long size, long keyHash, ClientProtocol writer) {
    return allocate(wish, size, keyHash, writer, NOTHING_AVOIDED);
  }

  /**
   * As {@link #allocate(ReplicateConfig, long, long, ClientProtocol)}, for a writer that could not
   * reach some nodes.
   *
   * @param avoided generations of segments whose nodes are not to be used; for writers of Moonpool
   */
  AllocationResult allocate(
      ReplicateConfig wish, long size, long keyHash, ClientProtocol writer, long[] avoided) {
    AllocatableSegments known =
        writer == ClientProtocol.MOONPOOL && avoided.length > 0
            ? avoidedNodes.of(avoided)
            : segments.reachableBy(writer);
    extents.clear();
    return placement.current().allocate(wish, size, keyHash, random.nextLong(), known, extents);
  }

  /** Finds space on one segment; it is added to {@link #extents} on ALLOCATED. */
  AllocationResult allocateOn(SegmentMount target, long size) {
    return placement
        .current()
        .allocateOn(target.slot(), target.generation(), size, segments, extents);
  }

  /** How long what {@link #allocate} found may be written, by a client of some protocol. */
  long writeGrantMillis(ClientProtocol writer) {
    return config.writeGrantMillis(writer);
  }

  /**
   * How long what {@link #allocate} found is kept for a write that does not end. Memory of
   * Mooncake's clients is kept longer than it may be written: its owners know no deadlines, and one
   * that hung may still write what it had received.
   */
  long heldMillis(ClientProtocol writer) {
    long grantMillis = config.writeGrantMillis(writer);
    for (int i = 0; i < extents.size(); i++) {
      if (segments.reach(extents.slot(i)).owner() == ClientProtocol.MOONCAKE) {
        return Math.max(grantMillis, config.writeGrantMillis(ClientProtocol.MOONCAKE));
      }
    }
    return grantMillis;
  }

  /** Gives back what {@link #allocate} or {@link #allocateOn} found. */
  void giveBack() {
    Placement current = placement.current();
    current.freeFrom(extents, 0);
    extents.clear();
  }

  // Lanes

  /**
   * Opens the lane of a drain job on this loop, in place of the one that it has, and counts what is
   * there, in slices.
   */
  Future<Void> openLane(LaneSpec spec) {
    index.lanes().close(spec.job(), nowMillis());
    index.lanes().open(spec.job(), spec.sources(), spec.targets(), spec.grantMillis(), nowMillis());
    neighbours.lanesConcern(true);
    StepBudget budget = new StepBudget();
    return loop.sweeps().start(() -> !index.lanes().count(spec.job(), nowMillis(), budget.start()));
  }

  void closeLane(UUID job) {
    index.lanes().close(job, nowMillis());
    neighbours.lanesConcern(!index.lanes().isEmpty());
  }

  /** Where lanes find space in this turn of the loop. */
  LaneRoom laneRoom() {
    return new LaneRoom(placement.current(), highWatermark, evicts, random::nextLong, extents);
  }

  /** Some loop has freed space. */
  void spaceCame() {
    index.lanes().spaceCame(nowMillis());
  }

  /** The segments of this moment. */
  Placement placement() {
    return placement.current();
  }

  /**
   * Does something that may need floors, and answers when they are durable.
   *
   * @param refused makes the answer when they cannot be made durable
   */
  <T> Future<T> durably(Function<ErrorCode, T> refused, Supplier<T> body) {
    index.refuseFloors(floors.isFailed());
    long emissions = floors.emissions();
    T answer = body.get();
    settleMail();
    if (floors.emissions() == emissions) {
      return Future.succeededFuture(answer);
    }
    return floors
        .durable()
        .map(durable -> answer)
        .recover(failure -> Future.succeededFuture(refused.apply(ErrorCode.PERSISTENT_FAIL)));
  }

  /** Names who hears of lanes and transfers; before the loop starts. */
  void listen(int number, LaneListener listener) {
    index.transferEffects(
        new TransferEffects() {
          @Override
          public void expired(UUID task) {
            listener.transferExpired(task);
          }

          @Override
          public void laneChanged(UUID job) {
            listener.laneChanged(number, job);
          }
        });
  }

  /** Takes changes of segments over, in the order in which the segment owner made them. */
  void apply(List<SegmentChange> changes) {
    for (SegmentChange change : changes) {
      segments.apply(change);
    }
    index.lanes().segmentsChanged(nowMillis());
  }

  /** Removes what is on a segment that is UNMOUNTING, in slices. */
  Future<Void> sweep(int slot, long generation) {
    StepBudget budget = new StepBudget();
    return loop.sweeps().start(() -> !index.sweep(slot, generation, nowMillis(), budget.start()));
  }

  /** Starts the timers; on the loop. */
  void start() {
    loop.eventLoop()
        .scheduleAtFixedRate(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** What is done when its time has come: unfinished writes, freed space, pins, eviction. */
  private void look() {
    loop.meter().mark("a look at what is due");
    floors.look();
    index.refuseFloors(floors.isFailed());
    evictor.look();
    retries.look(index.stats().offloadsToRetry(), nowMillis());
    if (promotes) {
      index.promotions().room(evictor.hasRoom());
      index.promotions().retry(CANDIDATES_A_LOOK, nowMillis());
    }
    if (index.nextDeadlineMillis() <= nowMillis()) {
      work();
    }
    settleMail();
  }

  /** Has mail between shards of this loop delivered that a call has left behind. */
  void settleMail() {
    if (!working && !index.deliverMail(nowMillis(), MetadataShards::nothing)) {
      work();
    }
  }

  /** The budget of who only asks whether there is something to do. */
  private static boolean nothing() {
    return false;
  }

  private void work() {
    if (!working) {
      working = true;
      loop.sweeps().start(this::timedStep).onComplete(done -> working = false);
    }
  }

  private boolean timedStep() {
    long now = nowMillis();
    timed.start();
    boolean done =
        index.deliverMail(now, timed)
            && index.reapWrites(now, timed)
            && index.releaseQuarantine(now, timed)
            && index.expireSoftPins(now, timed)
            && index.tendDisks(now, timed);
    index.lanes().tend(now);
    return !done;
  }
}
