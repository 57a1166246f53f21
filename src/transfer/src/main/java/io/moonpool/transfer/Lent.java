package io.moonpool.transfer;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A segment that this process lends to others: its memory, the generation under which it may be
 * accessed, and how many transfers of this process are touching it.
 *
 * <p>Any thread. A transfer enters before it touches the memory and leaves when it has finished. It
 * counts itself first and looks at the generation then, the owner changes the generation first and
 * looks at the count then; so none is overlooked. The count starts at one for the registration
 * itself and reaches zero only after the withdrawal.
 */
final class Lent {
  /** No generation: every access is refused. Generations of a master are never zero. */
  static final long INACTIVE = 0;

  private final UUID id;
  private final Region region;
  private final MemorySegment memory;
  private final AtomicInteger users = new AtomicInteger(1);
  private final Promise<Void> idle = Promise.promise();
  private volatile long generation = INACTIVE;
  private volatile boolean withdrawn;

  Lent(UUID id, Region region) {
    this.id = id;
    this.region = region;
    this.memory = region.memory();
    if (region instanceof MappedRegion mapped) {
      mapped.lend();
    }
  }

  UUID id() {
    return id;
  }

  Region region() {
    return region;
  }

  MemorySegment memory() {
    return memory;
  }

  long generation() {
    return generation;
  }

  /** From now on only accesses under that generation, which may be {@link #INACTIVE}, get in. */
  void generation(long newGeneration) {
    generation = newGeneration;
  }

  /** True while accesses under that generation may go on. */
  boolean admits(long wanted) {
    return !withdrawn && generation == wanted;
  }

  /**
   * Starts an access. When the answer is {@link Refusal#NONE} the caller must {@link #leave}.
   *
   * @param offset from the start of the segment, unchecked
   * @param length bytes, unchecked
   */
  Refusal enter(long wanted, long offset, long length) {
    if (!join()) {
      return Refusal.UNKNOWN_SEGMENT;
    }
    Refusal refusal = check(wanted, offset, length);
    if (refusal != Refusal.NONE) {
      leave();
    }
    return refusal;
  }

  private Refusal check(long wanted, long offset, long length) {
    Refusal refusal = check(wanted);
    return refusal != Refusal.NONE || inRange(offset, length, memory.byteSize())
        ? refusal
        : Refusal.OUT_OF_RANGE;
  }

  /** Whether that generation could access it now. */
  Refusal check(long wanted) {
    long current = generation;
    if (withdrawn) {
      return Refusal.UNKNOWN_SEGMENT;
    }
    if (current == INACTIVE) {
      return Refusal.NOT_ACTIVE;
    }
    return current == wanted ? Refusal.NONE : Refusal.WRONG_GENERATION;
  }

  /** True when the range lies within the size; sums that overflow do not. */
  static boolean inRange(long offset, long length, long size) {
    return offset >= 0 && length >= 0 && length <= size && offset <= size - length;
  }

  private boolean join() {
    while (true) {
      int count = users.get();
      if (count == 0) {
        return false;
      }
      if (users.compareAndSet(count, count + 1)) {
        return true;
      }
    }
  }

  /** Ends an access. */
  void leave() {
    if (users.decrementAndGet() == 0) {
      if (region instanceof MappedRegion mapped) {
        mapped.giveBack();
      }
      idle.complete();
    }
  }

  /** True when no transfer is touching the memory. */
  boolean untouched() {
    return users.get() <= (withdrawn ? 0 : 1);
  }

  /** Lets no more transfers in; completes when none is under way. Call it once. */
  Future<Void> withdraw() {
    withdrawn = true;
    leave();
    return idle.future();
  }
}
