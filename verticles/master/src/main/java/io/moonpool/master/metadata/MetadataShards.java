package io.moonpool.master.metadata;

import io.moonpool.core.allocation.AllocationResult;
import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.allocation.Placement;
import io.moonpool.core.allocation.PublishedPlacement;
import io.moonpool.core.index.IndexConfig;
import io.moonpool.core.index.IndexEffects;
import io.moonpool.core.index.ObjectIndex;
import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.index.ShardMail;
import io.moonpool.core.index.StartedWrite;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.loop.MasterLoop;
import io.moonpool.model.ReplicateConfig;
import io.vertx.core.Future;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What one metadata loop owns: the index of its shards, its view of the segments, and scratch
 * objects that are filled again for each key, so that a batch allocates little more than its
 * answer.
 */
final class MetadataShards implements IndexEffects {
  /** Items of timed work between two looks at the budget. */
  private static final int ITEMS_A_STEP = 64;

  private static final long DUE_CHECK_MILLIS = 10;

  private final MasterLoop loop;
  private final LongSupplier clockMillis;
  private final PublishedPlacement placement;
  private final Consumer<ShardMail> mail;
  private final SegmentTable segments = new SegmentTable();
  private final ObjectIndex index;
  private final SplittableRandom random;
  private final SpaceWaiters space;

  private final ObjectKey key = new ObjectKey();
  private final ExtentList extents = new ExtentList();
  private final StartedWrite started = new StartedWrite();
  private final LocatedObjectSink located;
  private boolean working;

  MetadataShards(
      MasterConfig config,
      MasterLoop loop,
      int firstShard,
      int endShard,
      LongSupplier clockMillis,
      PublishedPlacement placement,
      Consumer<ShardMail> mail,
      long firstSequence,
      long seed) {
    this.loop = loop;
    this.clockMillis = clockMillis;
    this.placement = placement;
    this.mail = mail;
    this.index =
        new ObjectIndex(
            firstShard,
            endShard,
            new IndexConfig(config.leaseTtlMillis(), config.clockSkewMillis(), firstSequence),
            segments,
            this);
    this.random = new SplittableRandom(seed);
    this.space = new SpaceWaiters(loop, this, config.putSpaceWaitMillis());
    this.located = new LocatedObjectSink(config.leaseTtlMillis());
  }

  @Override
  public void free(int slot, long generation, long offsetUnits, long length, int node) {
    placement.current().free(slot, generation, offsetUnits, node);
  }

  @Override
  public void send(ShardMail letter) {
    mail.accept(letter);
  }

  /** Takes mail that the shards of another loop sent. */
  void accept(ShardMail letter) {
    index.accept(letter, nowMillis());
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

  /** The key of the item that runs now. */
  ObjectKey key() {
    return key;
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

  /** Finds space for an object; it is in {@link #extents} on ALLOCATED. */
  AllocationResult allocate(ReplicateConfig config, long size, long keyHash) {
    extents.clear();
    return placement
        .current()
        .allocate(config, size, keyHash, random.nextLong(), segments, extents);
  }

  /** Gives back what {@link #allocate} found. */
  void giveBack() {
    Placement current = placement.current();
    current.freeFrom(extents, 0);
    extents.clear();
  }

  /** Takes changes of segments over, in the order in which the segment owner made them. */
  void apply(List<SegmentChange> changes) {
    for (SegmentChange change : changes) {
      segments.apply(change);
    }
  }

  /** Removes what is on a segment that is UNMOUNTING, in slices. */
  Future<Void> sweep(int slot, long generation) {
    return loop.sweeps()
        .start(
            () -> {
              int[] left = {ITEMS_A_STEP};
              return !index.sweep(slot, generation, nowMillis(), () -> left[0]-- > 0);
            });
  }

  /** What is done when its time has come: unfinished writes, freed space. */
  private void doWhatIsDue() {
    if (!working && index.nextDeadlineMillis() <= nowMillis()) {
      working = true;
      loop.sweeps().start(this::dueStep).onComplete(done -> working = false);
    }
  }

  private boolean dueStep() {
    int[] left = {ITEMS_A_STEP};
    boolean done =
        index.reapWrites(nowMillis(), () -> left[0]-- > 0)
            && index.releaseQuarantine(nowMillis(), () -> left[0]-- > 0)
            && index.expireSoftPins(nowMillis(), () -> left[0]-- > 0);
    return !done;
  }

  /** Starts the timers; on the loop. */
  void start() {
    loop.eventLoop()
        .scheduleAtFixedRate(
            this::doWhatIsDue, DUE_CHECK_MILLIS, DUE_CHECK_MILLIS, TimeUnit.MILLISECONDS);
  }
}
