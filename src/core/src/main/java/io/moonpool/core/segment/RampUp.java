package io.moonpool.core.segment;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which segments joined lately, and how much of their share they take by now: it grows with time,
 * in steps, from {@code 1/STEPS} to 1. An empty segment would otherwise draw the new objects of the
 * whole pool at once wherever the emptiest is preferred, and its peers would wait for it.
 *
 * <p>Belongs to whoever owns the segments.
 *
 * @param <S> a segment; compared by identity or equality, as its class says
 */
final class RampUp<S> {
  /** Each step is published, so there are not many. */
  static final int STEPS = 32;

  private static final long NOT_BEGUN = Long.MIN_VALUE;

  private static final class Progress {
    long sinceMillis = NOT_BEGUN;
    int step = 1;
  }

  private final long millis;

  /** In order of joining, so the first to end come first. */
  private final Map<S, Progress> joined = new LinkedHashMap<>();

  /**
   * Nobody joined yet.
   *
   * @param millis how long it takes; 0 for no time
   */
  RampUp(long millis) {
    this.millis = millis;
  }

  /** A segment joins. */
  void add(S segment) {
    if (millis > 0) {
      joined.put(segment, new Progress());
    }
  }

  /** A segment goes, or takes all of its share at once. */
  void remove(S segment) {
    joined.remove(segment);
  }

  /** What a segment takes of its share: above 0, and 1 unless it has lately joined. */
  double weight(S segment) {
    Progress progress = joined.get(segment);
    return progress == null ? 1 : (double) progress.step / STEPS;
  }

  int size() {
    return joined.size();
  }

  /**
   * Lets time go by.
   *
   * @param nowMillis monotonic
   * @return true when some {@link #weight} changed
   */
  boolean advance(long nowMillis) {
    boolean changed = false;
    for (Iterator<Progress> each = joined.values().iterator(); each.hasNext(); ) {
      Progress progress = each.next();
      if (progress.sinceMillis == NOT_BEGUN) {
        progress.sinceMillis = nowMillis;
      }
      double share = (double) (nowMillis - progress.sinceMillis) / millis;
      int step = (int) Math.min(STEPS, 1 + share * (STEPS - 1));
      if (step == progress.step) {
        continue;
      }
      progress.step = step;
      changed = true;
      if (step == STEPS) {
        each.remove();
      }
    }
    return changed;
  }
}
