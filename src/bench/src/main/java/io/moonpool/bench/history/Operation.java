package io.moonpool.bench.history;

/**
 * One operation on one key as its client saw it.
 *
 * @param client who did it, for messages
 * @param kind what was done and, for reads and removals, what came out
 * @param value the value written or read; every write of a history writes another one; {@link
 *     #ABSENT} where there is none
 * @param callNanos when the client asked
 * @param returnNanos when the client had the answer; ignored when the outcome is unknown
 * @param known whether the outcome is known; if not, the operation may have taken effect at any
 *     time after its call, or never
 */
public record Operation(
    int client, Kind kind, long value, long callNanos, long returnNanos, boolean known) {
  /** The value of a key that does not exist. */
  public static final long ABSENT = 0;

  /** What an operation does to the register that a key is. */
  public enum Kind {
    /** Sets the value, whatever it was: a successful upsert. */
    WRITE,
    /** Sets the value of a key that did not exist: a successful put. */
    CREATE,
    /** Removed a key that existed. */
    REMOVE,
    /** Found nothing to remove. */
    REMOVE_MISSED,
    /** Read a value, or that there is none. */
    READ
  }

  /** Refuses what cannot have happened. */
  public Operation {
    boolean writes = kind == Kind.WRITE || kind == Kind.CREATE;
    if (writes && value == ABSENT) {
      throw new IllegalArgumentException("a write needs a value other than ABSENT");
    }
    if (known && returnNanos < callNanos) {
      throw new IllegalArgumentException("an operation cannot return before it is called");
    }
    if (!known && (kind == Kind.READ || kind == Kind.REMOVE_MISSED)) {
      throw new IllegalArgumentException("an unknown outcome changes nothing: leave it out");
    }
  }
}
