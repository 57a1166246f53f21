package io.moonpool.transfer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.UUID;

/**
 * The page behind the data of a shared region through which its owner and the processes that map it
 * agree on who may touch the data. It holds the generation under which the data may be accessed and
 * one slot a peer with the number of its copies under way.
 *
 * <p>A peer announces itself in its slot, then looks at the generation, then copies a piece. The
 * owner changes the generation, then looks at the slots. Both sides use volatile accesses, which
 * all processors see in one order; so either the peer sees the new generation and stays out, or the
 * owner sees the peer and waits. A peer that dies inside is taken out by the owner, who hears of
 * its death through the connection that holds the slot.
 */
final class ControlBlock {
  /** How many processes can map one region; more are served over tcp. */
  static final int SLOTS = 255;

  private static final int LINE_BYTES = 64;

  /** The size of the block in bytes. */
  static final long BYTES = LINE_BYTES * (SLOTS + 1L);

  private static final long GENERATION_AT = 0;
  private static final long BUSY_AT = 0;
  private static final long TOKEN_AT = 8;
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private final MemorySegment memory;

  ControlBlock(MemorySegment memory) {
    this.memory = memory;
  }

  /** The owner: from now on pieces may be copied under this generation only. */
  void generation(long generation) {
    LONG.setVolatile(memory, GENERATION_AT, generation);
  }

  long generation() {
    return (long) LONG.getVolatile(memory, GENERATION_AT);
  }

  /** The owner: gives a free slot to a peer, with a token that proves that both see this memory. */
  void assign(int slot, UUID token) {
    LONG.setVolatile(memory, at(slot, BUSY_AT), 0L);
    LONG.setVolatile(memory, at(slot, TOKEN_AT), token.getMostSignificantBits());
    LONG.setVolatile(memory, at(slot, TOKEN_AT + 8), token.getLeastSignificantBits());
  }

  /** The owner: takes a slot back from a peer whose connection is gone. */
  void clear(int slot) {
    assign(slot, new UUID(0, 0));
  }

  /** The owner: true while a peer is copying. */
  boolean busy(int slot) {
    return (long) LONG.getVolatile(memory, at(slot, BUSY_AT)) > 0;
  }

  /** A peer: the token in its slot. */
  UUID token(int slot) {
    return new UUID(
        (long) LONG.getVolatile(memory, at(slot, TOKEN_AT)),
        (long) LONG.getVolatile(memory, at(slot, TOKEN_AT + 8)));
  }

  /** A peer: starts to copy a piece. When this is true it must {@link #leave}. */
  boolean enter(int slot, long generation) {
    long ignored = (long) LONG.getAndAdd(memory, at(slot, BUSY_AT), 1L);
    if (generation() == generation) {
      return true;
    }
    leave(slot);
    return false;
  }

  /** A peer: has copied a piece. */
  void leave(int slot) {
    long ignored = (long) LONG.getAndAdd(memory, at(slot, BUSY_AT), -1L);
  }

  private static long at(int slot, long offset) {
    return LINE_BYTES * (slot + 1L) + offset;
  }
}
