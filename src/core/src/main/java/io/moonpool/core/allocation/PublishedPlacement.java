package io.moonpool.core.allocation;

/**
 * Where loops find the current {@link Placement}. The segment owner publishes, any thread reads;
 * nobody waits.
 */
public final class PublishedPlacement {
  private volatile Placement current;

  /** Starts with that one. */
  public PublishedPlacement(Placement first) {
    this.current = first;
  }

  /** The placement to use now. Keep it for one turn of the loop, not longer. */
  public Placement current() {
    // Volatile read: pairs with the write in publish(), so everything in the snapshot is whole.
    return current;
  }

  /** Replaces it. Only the segment owner calls it. */
  public void publish(Placement next) {
    current = next;
  }
}
