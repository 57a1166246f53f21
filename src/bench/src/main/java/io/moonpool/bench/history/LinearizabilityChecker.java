package io.moonpool.bench.history;

import static io.moonpool.bench.history.Operation.ABSENT;

import io.moonpool.bench.history.Operation.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Decides whether the history of one key is linearizable: whether each operation can be given one
 * instant between its call and its return so that, in the order of these instants, every outcome is
 * that of a plain variable.
 *
 * <p>The search is that of Wing and Gong, with Lowe's memory of configurations already tried
 * ("Testing for linearizability", Concurrency and Computation 29(4), 2017): a depth-first walk over
 * the list of call and return events, in which an operation whose call comes before the first
 * outstanding return may go next. A configuration is the set of operations placed so far (as the
 * exclusive or of random 128-bit numbers, one per operation) and the value.
 *
 * <p>Operations with an unknown outcome have no return. They may be placed late or left out, which
 * alone would make the search exponential in their number. It stays small since such an operation
 * is worth placing only directly before one that would be impossible without it: a read of its
 * value, a removal of it, or whatever needs the absence that it caused. Anything else is as
 * possible with it left out.
 */
public final class LinearizabilityChecker {
  private static final int HEAD = 0;

  /** What the operation placed next must be, since the one before it would else be pointless. */
  private enum Need {
    ANYTHING,
    /** A read of the value, or any operation that needs the absence, that was just caused. */
    WITNESS,
    /** As before, or a removal. */
    WITNESS_OR_REMOVAL
  }

  private record Configuration(long high, long low, long value, Need need) {}

  /** One placed operation and what was true before it. */
  private record Placement(int event, long valueBefore, Need needBefore, boolean forced) {}

  private final List<Operation> operations;
  private final int[] next;
  private final int[] previous;
  // Event e > 0 is the call of operation eventOperation[e] when isCall[e], else its return.
  private final int[] eventOperation;
  private final boolean[] isCall;
  private final int[] returnEvent;
  private final long[] markHigh;
  private final long[] markLow;
  private final boolean[] unreadUnknownWrite;

  // The configuration that the search is in.
  private final List<Placement> placed = new ArrayList<>();
  private long value = ABSENT;
  private Need need = Need.ANYTHING;
  private long high;
  private long low;
  private int outstanding;
  private boolean passedUnreadWrite;
  private boolean passedUnknownRemoval;

  private LinearizabilityChecker(List<Operation> history) {
    operations = history;
    int events = history.size() * 2;
    next = new int[events + 1];
    previous = new int[events + 1];
    eventOperation = new int[events + 1];
    isCall = new boolean[events + 1];
    returnEvent = new int[history.size()];
    markHigh = new long[history.size()];
    markLow = new long[history.size()];
    unreadUnknownWrite = new boolean[history.size()];
    Set<Long> read = new HashSet<>();
    for (Operation operation : history) {
      if (operation.kind() == Kind.READ) {
        read.add(operation.value());
      }
    }
    SplittableRandom random = new SplittableRandom(0x6d6f6f6e);
    for (int i = 0; i < history.size(); i++) {
      markHigh[i] = random.nextLong();
      markLow[i] = random.nextLong();
      Operation operation = history.get(i);
      unreadUnknownWrite[i] =
          !operation.known()
              && operation.kind() != Kind.REMOVE
              && !read.contains(operation.value());
    }
    outstanding = (int) history.stream().filter(Operation::known).count();
    link(events);
  }

  private void link(int events) {
    Integer[] order = new Integer[events];
    Arrays.setAll(order, i -> i);
    // Calls before returns at the same instant: two operations that touch in time count as
    // overlapping, which can only forgive, never accuse wrongly.
    Arrays.sort(
        order,
        (a, b) -> {
          int byTime = Long.compare(time(a), time(b));
          return byTime != 0 ? byTime : Integer.compare(a & 1, b & 1);
        });
    for (int position = 0; position < events; position++) {
      int code = order[position];
      int event = position + 1;
      eventOperation[event] = code >> 1;
      isCall[event] = (code & 1) == 0;
      if (!isCall[event]) {
        returnEvent[code >> 1] = event;
      }
      previous[event] = position;
      next[position] = event;
    }
    next[events] = HEAD;
    previous[HEAD] = events;
  }

  private long time(int code) {
    Operation operation = operations.get(code >> 1);
    if ((code & 1) == 0) {
      return operation.callNanos();
    }
    return operation.known() ? operation.returnNanos() : Long.MAX_VALUE;
  }

  /**
   * Checks the history of one key that did not exist at the beginning.
   *
   * @param history in any order
   * @return empty when it is linearizable, else the operation at which every attempt got stuck at
   *     the latest: its outcome cannot be explained
   */
  public static Optional<Operation> firstUnexplained(List<Operation> history) {
    return new LinearizabilityChecker(List.copyOf(history)).search();
  }

  private Optional<Operation> search() {
    Set<Configuration> tried = new HashSet<>();
    int stuckAt = HEAD;
    int event = placeReads();
    while (outstanding > 0) {
      if (isCall[event]) {
        int candidate = eventOperation[event];
        Operation operation = operations.get(candidate);
        if (worthPlacing(candidate) && mayFollow(operation, value, need)) {
          Configuration configuration =
              new Configuration(
                  high ^ markHigh[candidate],
                  low ^ markLow[candidate],
                  valueAfter(operation, value),
                  needAfter(operation, value));
          if (tried.add(configuration)) {
            place(event, false);
            event = placeReads();
            continue;
          }
        }
        passed(candidate);
        event = next[event];
      } else {
        stuckAt = Math.max(stuckAt, event);
        Placement last;
        do {
          if (placed.isEmpty()) {
            return Optional.of(operations.get(eventOperation[stuckAt]));
          }
          last = takeBack();
        } while (last.forced);
        passedUnreadWrite = false;
        passedUnknownRemoval = false;
        for (int e = next[HEAD]; e != next[last.event]; e = next[e]) {
          if (isCall[e]) {
            passed(eventOperation[e]);
          }
        }
        event = next[last.event];
      }
    }
    return Optional.empty();
  }

  /**
   * Places every read that is possible now, and returns the first event left. A read changes
   * nothing, so wherever else it could go, it can go here as well: there is no alternative to come
   * back to.
   */
  private int placeReads() {
    int event = next[HEAD];
    while (outstanding > 0 && isCall[event]) {
      Operation operation = operations.get(eventOperation[event]);
      boolean reads = operation.kind() == Kind.READ || operation.kind() == Kind.REMOVE_MISSED;
      if (reads && mayFollow(operation, value, need)) {
        place(event, true);
        event = next[HEAD];
      } else {
        event = next[event];
      }
    }
    passedUnreadWrite = false;
    passedUnknownRemoval = false;
    return next[HEAD];
  }

  private void place(int event, boolean forced) {
    int candidate = eventOperation[event];
    Operation operation = operations.get(candidate);
    placed.add(new Placement(event, value, need, forced));
    high ^= markHigh[candidate];
    low ^= markLow[candidate];
    need = needAfter(operation, value);
    value = valueAfter(operation, value);
    outstanding -= operation.known() ? 1 : 0;
    unlink(event);
    unlink(returnEvent[candidate]);
  }

  private Placement takeBack() {
    Placement last = placed.removeLast();
    int undone = eventOperation[last.event];
    relink(returnEvent[undone]);
    relink(last.event);
    high ^= markHigh[undone];
    low ^= markLow[undone];
    outstanding += operations.get(undone).known() ? 1 : 0;
    value = last.valueBefore;
    need = last.needBefore;
    return last;
  }

  private boolean worthPlacing(int candidate) {
    if (unreadUnknownWrite[candidate]) {
      return !passedUnreadWrite && value == ABSENT;
    }
    return !isUnknownRemoval(candidate) || !passedUnknownRemoval;
  }

  private void passed(int candidate) {
    passedUnreadWrite |= unreadUnknownWrite[candidate];
    passedUnknownRemoval |= isUnknownRemoval(candidate);
  }

  private boolean isUnknownRemoval(int candidate) {
    Operation operation = operations.get(candidate);
    return !operation.known() && operation.kind() == Kind.REMOVE;
  }

  private static boolean mayFollow(Operation operation, long value, Need need) {
    boolean present = value != ABSENT;
    return switch (operation.kind()) {
      case WRITE -> need == Need.ANYTHING;
      case CREATE -> !present;
      case REMOVE ->
          present && (need != Need.WITNESS) && (operation.known() || need == Need.ANYTHING);
      case REMOVE_MISSED -> !present;
      case READ -> operation.value() == value;
    };
  }

  private static Need needAfter(Operation operation, long valueBefore) {
    if (operation.known()) {
      return Need.ANYTHING;
    }
    boolean explainsRemoval = operation.kind() != Kind.REMOVE && valueBefore == ABSENT;
    return explainsRemoval ? Need.WITNESS_OR_REMOVAL : Need.WITNESS;
  }

  private static long valueAfter(Operation operation, long value) {
    return switch (operation.kind()) {
      case WRITE, CREATE -> operation.value();
      case REMOVE -> ABSENT;
      case REMOVE_MISSED, READ -> value;
    };
  }

  private void unlink(int event) {
    next[previous[event]] = next[event];
    previous[next[event]] = previous[event];
  }

  private void relink(int event) {
    next[previous[event]] = event;
    previous[next[event]] = event;
  }
}
