package io.moonpool.transfer;

import io.moonpool.libc.LibcException;
import io.moonpool.libc.Mapping;
import io.moonpool.libc.SharedMemory;
import java.lang.foreign.MemorySegment;

/**
 * The memory of another process, mapped into this one under one generation. Any thread may copy;
 * when the peer is gone or has withdrawn the segment, copies are refused.
 */
final class PeerMapping implements PieceCopy.Gate {
  private final Mapping data;
  private final Mapping controlPages;
  private final ControlBlock control;
  private final int slot;
  private final long generation;
  private volatile boolean gone;

  private PeerMapping(Mapping data, Mapping controlPages, int slot, long generation) {
    this.data = data;
    this.controlPages = controlPages;
    this.control = new ControlBlock(controlPages.memory());
    this.slot = slot;
    this.generation = generation;
  }

  /**
   * Maps what a ticket describes, and makes sure that it is what the peer meant. Blocks.
   *
   * @throws LibcException when the memory cannot be opened or mapped
   * @throws ProtocolException when it is other memory: the peer's process number means another
   *     process here
   */
  static PeerMapping map(SharedTicket ticket, long generation) throws ProtocolException {
    try (SharedMemory object = SharedMemory.openPeers(ticket.pid(), ticket.fd())) {
      if (object.bytes() < ticket.controlOffset() + ControlBlock.BYTES) {
        throw new ProtocolException("the peer's memory is not visible here");
      }
      Mapping controlPages = object.map(ticket.controlOffset(), ControlBlock.BYTES);
      try {
        if (!new ControlBlock(controlPages.memory()).token(ticket.slot()).equals(ticket.token())) {
          throw new ProtocolException("the peer's memory is not visible here");
        }
        Mapping data = object.map(0, ticket.dataBytes());
        return new PeerMapping(data, controlPages, ticket.slot(), generation);
      } catch (RuntimeException | ProtocolException e) {
        controlPages.close();
        throw e;
      }
    }
  }

  MemorySegment memory() {
    return data.memory();
  }

  /** Makes the page tables, so that first copies do not fault page by page. Blocks. */
  void populate() {
    try {
      data.populate(0, data.memory().byteSize());
    } catch (IllegalStateException e) {
      // Closed meanwhile: nobody needs the pages.
    }
  }

  /** From now on copies are refused. */
  void gone() {
    gone = true;
  }

  @Override
  public Refusal enter() {
    if (gone) {
      return Refusal.WITHDRAWN;
    }
    return control.enter(slot, generation) ? Refusal.NONE : Refusal.WITHDRAWN;
  }

  @Override
  public void leave() {
    control.leave(slot);
  }

  /** Unmaps. Copies under way fail, they never touch what is mapped there next. Blocks. */
  void close() {
    gone = true;
    data.close();
    controlPages.close();
  }
}
