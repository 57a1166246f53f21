package io.moonpool.core.floor;

import it.unimi.dsi.fastutil.ints.IntCollection;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * The floors of removals by pattern, with the disks that need them. A pattern floor is true of
 * every disk. It is kept until each disk that was not there when it came is known completely, or is
 * given up: what such a disk holds nobody could match.
 *
 * <p>Every call visits all of them; there are few, since each is compared with every record that
 * disks report. Not thread safe.
 *
 * @param <P> a pattern floor, as its owner knows it
 */
public final class PatternFloors<P> {
  private record Kept<P>(P floor, IntSet disks) {}

  /** In the order in which they came. */
  private final List<Kept<P>> all = new ArrayList<>();

  /**
   * Keeps a pattern floor, in place of those that it makes needless.
   *
   * @param disks the numbers of the disks that need it; without any it is not kept
   * @param replaces whether the first one, the new one, says all that the other does
   * @return those that went
   */
  public List<P> add(P floor, IntCollection disks, BiPredicate<P, P> replaces) {
    if (disks.isEmpty()) {
      return List.of();
    }
    List<P> replaced = removeIf(kept -> replaces.test(floor, kept.floor));
    all.add(new Kept<>(floor, new IntOpenHashSet(disks)));
    return replaced;
  }

  /**
   * A disk does not need any of them any more.
   *
   * @return those that went, since no other disk needs them
   */
  public List<P> settle(int disk) {
    return removeIf(kept -> kept.disks.remove(disk) && kept.disks.isEmpty());
  }

  private List<P> removeIf(Predicate<Kept<P>> condition) {
    List<P> removed = new ArrayList<>();
    for (Iterator<Kept<P>> each = all.iterator(); each.hasNext(); ) {
      Kept<P> kept = each.next();
      if (condition.test(kept)) {
        removed.add(kept.floor);
        each.remove();
      }
    }
    return removed;
  }

  /** Whether one of them fulfils a condition. */
  public boolean anyMatch(Predicate<P> condition) {
    for (Kept<P> kept : all) {
      if (condition.test(kept.floor)) {
        return true;
      }
    }
    return false;
  }

  /** How many there are. */
  public int size() {
    return all.size();
  }

  /** What is done with each. */
  @FunctionalInterface
  public interface Visitor<P> {
    /**
     * A pattern floor.
     *
     * @param disks that need it; do not change it
     */
    void floor(P floor, IntCollection disks);
  }

  /** Visits all, in the order in which they came. */
  public void forEach(Visitor<P> visitor) {
    for (Kept<P> kept : all) {
      visitor.floor(kept.floor, kept.disks);
    }
  }
}
