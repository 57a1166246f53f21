package io.moonpool.master.segment.planted;

/** State of the segment verticle, and the two ways to it. */
public final class OwnedState {
  /** A message. */
  public record Changed(int slot) {}

  /** The owner, as others reach it. */
  public static final class OwnedStateProxy {}
}
