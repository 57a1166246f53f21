package io.moonpool.core.index;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.promotion.PromotionAdmission;
import io.moonpool.core.promotion.PromotionAdmission.Candidate;
import io.moonpool.core.promotion.PromotionAdmission.Decision;
import io.moonpool.model.ErrorCode;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies from a node's disk back to memory, of objects that are read and that no memory has:
 *
 * <pre>
 *        read often        next, start              settle: written
 *  (none) --------> waiting ----------> open -----------------------> completed
 *                      |                  | not written                failed
 *                      |                  | not settled in time        expired
 *                      | waits too long   |                            expired
 *                      | no space for it  |                            failed
 *                      | object, disk or  | object or memory
 *                      | need of it gone  | segment gone               cancelled
 * </pre>
 *
 * <p>What is read is a record of the node's own disk, named by its version, so nothing is held in
 * place for it. What is written is a replica that is being added ({@link ReplicaAdditions}): it is
 * in the way of no removal, no upsert and no eviction, it goes with its object, and its extent
 * waits until the node must have stopped to write.
 *
 * <p>An object has one at a time. A read of an object that has a replica in memory, be it
 * unfinished, does not come here. All that were admitted are in exactly one of the states above:
 * {@code admitted = waiting + open + completed + failed + expired + cancelled}.
 *
 * <p>The thread of its {@link ObjectIndex} is the only one that uses it. It does not call back.
 */
public final class Promotions {
  /** How one ended. */
  private enum End {
    COMPLETED,
    FAILED,
    EXPIRED,
    CANCELLED
  }

  /** One copy. */
  private static final class Promotion {
    final int row;
    final int slot;
    final long generation;
    final long waitUntilMillis;

    /** The replica on disk; 0 when it is gone. */
    int source;

    /** The replica in memory once it is open; 0 while it waits. */
    int target;

    Promotion(int row, int source, int slot, long generation, long waitUntilMillis) {
      this.row = row;
      this.source = source;
      this.slot = slot;
      this.generation = generation;
      this.waitUntilMillis = waitUntilMillis;
    }

    boolean isWaiting() {
      return target == 0;
    }
  }

  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;
  private final PromotionPolicy policy;
  private final PromotionAdmission admission;
  private final ObjectView view;
  private final ObjectKey candidateKey = new ObjectKey();
  private final Int2ObjectOpenHashMap<Promotion> byRow = new Int2ObjectOpenHashMap<>();

  /** Those that wait, by the slot of their disk, first come, first served. */
  private final Int2ObjectOpenHashMap<Set<Promotion>> bySlot = new Int2ObjectOpenHashMap<>();

  /** The same of all disks: they wait equally long. */
  private final Set<Promotion> waiting = new LinkedHashSet<>();

  private boolean room;

  Promotions(IndexCore core) {
    this.core = core;
    objects = core.objects;
    replicas = core.replicas;
    policy = core.config.promotion();
    admission = new PromotionAdmission(policy.threshold(), policy.queueLimit());
    view = new ObjectView(core);
  }

  boolean enabled() {
    return policy.enabled();
  }

  // Admission

  /**
   * Whether there is room in memory: it is filled below the watermark from which on eviction works.
   * Without room nothing is admitted or started. None until this was called.
   */
  public void room(boolean there) {
    boolean came = there && !room;
    room = there;
    if (came) {
      bySlot.int2ObjectEntrySet().forEach(e -> tell(e.getIntKey(), e.getValue()));
    }
  }

  private void tell(int slot, Set<Promotion> ofSlot) {
    core.effects.offload(slot, ofSlot.iterator().next().generation);
  }

  /** An object was read that has replicas on disks only. */
  void read(ObjectKey key, int row) {
    int source = objects.has(row, ObjectRows.PROMOTING) ? 0 : source(row);
    if (source == 0) {
      return;
    }
    Decision decision =
        admission.read(
            key.tenant(), key.bytes(), key.offset(), key.length(), key.hash(), room, core.now());
    switch (decision) {
      case ADMIT -> enqueue(row, source);
      case RARE -> core.stats.promotionsRare++;
      case LATER, NO_ROOM -> {
        if (room) {
          core.stats.promotionsQueueFull++;
        } else {
          core.stats.promotionsMemoryFull++;
        }
      }
    }
    core.stats.promotionCandidates = admission.candidates();
  }

  /**
   * The replica that an object can be promoted from; 0 when none can be, it has one in memory, or
   * it is about to be overwritten.
   */
  private int source(int row) {
    if (objects.has(row, ObjectRows.UPSERTING)) {
      return 0;
    }
    int source = 0;
    for (int r = replicas.first(row); r != 0; r = replicas.nextOfObject(r)) {
      if (replicas.type(r) == IndexCore.MEMORY) {
        return 0;
      }
      int slot = replicas.slot(r);
      long generation = core.slots.generation(slot);
      if (source == 0
          && core.segments.isServed(slot, generation)
          && core.segments.takesReplicas(slot, generation)) {
        source = r;
      }
    }
    return source;
  }

  private void enqueue(int row, int source) {
    int slot = replicas.slot(source);
    Promotion promotion =
        new Promotion(
            row, source, slot, core.slots.generation(slot), core.now() + policy.waitMillis());
    objects.set(row, ObjectRows.PROMOTING);
    byRow.put(row, promotion);
    waiting.add(promotion);
    admission.started();
    core.stats.promotionsAdmitted++;
    core.stats.promotionsWaiting = waiting.size();
    Set<Promotion> ofSlot = bySlot.computeIfAbsent(slot, s -> new LinkedHashSet<>());
    ofSlot.add(promotion);
    if (ofSlot.size() == 1) {
      core.effects.offload(slot, promotion.generation);
    }
  }

  /**
   * Looks again at objects that were read often when there was no room for them.
   *
   * @param atMost at so many
   */
  public void retry(int atMost, long nowMillis) {
    core.time(nowMillis);
    if (admission.candidates() > 0) {
      admission.retry(atMost, room, core.now(), this::retry);
      core.stats.promotionCandidates = admission.candidates();
    }
  }

  private boolean retry(Candidate candidate) {
    byte[] key = candidate.key();
    int row = core.findComplete(candidateKey.set(key, 0, key.length, candidate.tenant()));
    int source = row == 0 || objects.has(row, ObjectRows.PROMOTING) ? 0 : source(row);
    if (source != 0) {
      enqueue(row, source);
    }
    return true;
  }

  // Work for the node

  /**
   * The next object that the node of a disk shall bring back: call {@link #start} or {@link
   * #refuse} in this turn of the loop.
   *
   * @return null when there is none, or no room
   */
  public @Nullable ObjectView next(int slot, long generation, long nowMillis) {
    core.time(nowMillis);
    for (Promotion first = first(slot, generation); first != null; ) {
      if (source(first.row) != 0 && first.source != 0) {
        return view.at(first.row);
      }
      end(first, End.CANCELLED);
      first = first(slot, generation);
    }
    return null;
  }

  private @Nullable Promotion first(int slot, long generation) {
    Set<Promotion> ofSlot = room ? bySlot.get(slot) : null;
    if (ofSlot == null) {
      return null;
    }
    Promotion first = ofSlot.iterator().next();
    return first.generation == generation ? first : null;
  }

  /**
   * Gives memory to the object that {@link #next} has answered: from now on its node may write
   * there.
   *
   * @param extents one, of at least the object's size
   * @param grantEndMillis when the node must have stopped to write
   * @param started filled on OK
   * @return OK; otherwise the extent is still the caller's and the promotion has failed:
   *     SEGMENT_NOT_FOUND, INVALID_PARAMS; OBJECT_NOT_FOUND when there is no such promotion
   */
  public ErrorCode start(
      int slot,
      long generation,
      ExtentList extents,
      long grantEndMillis,
      long nowMillis,
      StartedWrite started) {
    core.time(nowMillis);
    Promotion promotion = first(slot, generation);
    if (promotion == null) {
      return ErrorCode.OBJECT_NOT_FOUND;
    }
    ErrorCode code =
        extents.size() == 1 && grantEndMillis > core.now()
            ? core.additions.check(promotion.row, extents)
            : ErrorCode.INVALID_PARAMS;
    if (code != ErrorCode.OK) {
      end(promotion, End.FAILED);
      return code;
    }
    leaveQueue(promotion);
    core.additions.start(promotion.row, extents, grantEndMillis, started);
    promotion.target = core.lastReplica(promotion.row);
    core.stats.promotionsOpen++;
    core.settle(promotion.row);
    return ErrorCode.OK;
  }

  /** There is no space for the object that {@link #next} has answered. */
  public void refuse(int slot, long generation, long nowMillis) {
    core.time(nowMillis);
    Promotion promotion = first(slot, generation);
    if (promotion != null) {
      end(promotion, End.FAILED);
    }
  }

  /**
   * What became of a promotion that the node of a disk was told to make.
   *
   * @param version the object's, as it was told
   * @param replicaId of the replica in memory
   * @param written the replica holds the object; otherwise nothing is written there any more
   * @return OK; INVALID_VERSION when the object was removed or overwritten meanwhile;
   *     REPLICA_NOT_FOUND when the promotion was given up, its memory is gone, or it is another
   *     disk's. There is nothing to clean up in any case
   */
  public ErrorCode settle(
      ObjectKey key,
      long version,
      long replicaId,
      int slot,
      long generation,
      boolean written,
      long nowMillis) {
    core.time(nowMillis);
    ErrorCode code = settle(key, version, replicaId, slot, generation, written);
    core.groups.deliverSome();
    return code;
  }

  private ErrorCode settle(
      ObjectKey key, long version, long replicaId, int slot, long generation, boolean written) {
    int row = core.findComplete(key);
    if (row == 0 || objects.version(row) != version) {
      return written ? ErrorCode.INVALID_VERSION : ErrorCode.OK;
    }
    int replica = core.findReplica(row, replicaId);
    if (replica != 0 && replicas.status(replica) == IndexCore.COMPLETE) {
      return ErrorCode.OK; // it was settled, and that answer was lost
    }
    Promotion promotion = byRow.get(row);
    if (replica == 0
        || promotion == null
        || promotion.target != replica
        || promotion.slot != slot
        || promotion.generation != generation) {
      return written ? ErrorCode.REPLICA_NOT_FOUND : ErrorCode.OK;
    }
    if (written) {
      core.additions.commit(replica);
      core.settle(row);
      return ErrorCode.OK;
    }
    end(promotion, End.FAILED);
    core.dropReplica(replica);
    core.settle(row);
    return ErrorCode.OK;
  }

  // What ends them

  /** A replica of an object that is being promoted goes. */
  void dropped(int row, int replica) {
    Promotion promotion = byRow.get(row);
    if (promotion == null) {
      return;
    }
    if (promotion.source == replica) {
      promotion.source = 0;
    }
    if (promotion.target == replica || (promotion.isWaiting() && promotion.source == 0)) {
      end(promotion, End.CANCELLED);
    }
  }

  /** A replica that was being added is complete. */
  void committed(int row, int replica) {
    Promotion promotion = byRow.get(row);
    if (promotion != null && promotion.target == replica) {
      core.stats.promotedBytes += objects.size(row);
      end(promotion, End.COMPLETED);
    }
  }

  /** A replica that is being added was not committed in time; it goes next. */
  void expired(int row, int replica) {
    Promotion promotion = byRow.get(row);
    if (promotion != null && promotion.target == replica) {
      end(promotion, End.EXPIRED);
    }
  }

  private void end(Promotion promotion, End how) {
    if (promotion.isWaiting()) {
      leaveQueue(promotion);
    } else {
      core.stats.promotionsOpen--;
    }
    byRow.remove(promotion.row);
    objects.clear(promotion.row, ObjectRows.PROMOTING);
    admission.ended();
    switch (how) {
      case COMPLETED -> core.stats.promotionsCompleted++;
      case FAILED -> core.stats.promotionsFailed++;
      case EXPIRED -> core.stats.promotionsExpired++;
      case CANCELLED -> core.stats.promotionsCancelled++;
    }
  }

  private void leaveQueue(Promotion promotion) {
    waiting.remove(promotion);
    core.stats.promotionsWaiting = waiting.size();
    Set<Promotion> ofSlot = bySlot.get(promotion.slot);
    if (ofSlot != null && ofSlot.remove(promotion) && ofSlot.isEmpty()) {
      bySlot.remove(promotion.slot);
    }
  }

  /** When the next one has waited for too long, in milliseconds, or {@link Long#MAX_VALUE}. */
  long nextMillis() {
    return waiting.isEmpty() ? Long.MAX_VALUE : waiting.iterator().next().waitUntilMillis;
  }

  /** Gives up those that have waited for too long. Answers whether none is left of them. */
  boolean reap(BooleanSupplier mayContinue) {
    while (nextMillis() <= core.now()) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      Iterator<Promotion> first = waiting.iterator();
      end(first.next(), End.EXPIRED);
    }
    return true;
  }

  /** Whether an object has one. For tests. */
  boolean isUnderWay(int row) {
    return byRow.containsKey(row);
  }

  /** How many are under way, waiting or open. */
  int underWay() {
    return byRow.size();
  }
}
