package io.moonpool.transfer;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Asks for the ticket of a mapping, and stands for the mapping afterwards. */
final class MapRequest extends TicketRequest<SharedTicket> {
  private final MemorySegment bytes = MemorySegment.ofArray(new byte[SharedTicket.BYTES]);

  MapRequest(LoopScratch scratch, TcpEndpoint endpoint, UUID segmentId, long generation) {
    super(scratch, endpoint, Wire.OPEN_SHARED, segmentId, generation);
  }

  @Override
  long onHeader(ByteBuf header) throws ProtocolException {
    Wire.Answer next = Wire.readAnswer(header);
    answer = next;
    long expected = greeted && next.refusal() == Refusal.NONE ? SharedTicket.BYTES : 0;
    if (next.length() != expected || ticket().isComplete()) {
      throw new ProtocolException("an answer that nobody asked for");
    }
    return expected;
  }

  @Override
  @Nullable MemorySegment target() {
    return bytes;
  }

  @Override
  void onPayloadRead() throws ProtocolException {
    Wire.Answer done = answer;
    if (done == null) {
      throw new IllegalStateException("payload without an answer");
    }
    if (done.refusal() != Refusal.NONE) {
      ticket.tryFail(done.refusal().exception());
      close();
    } else if (greeted) {
      ticket.tryComplete(SharedTicket.decode(bytes));
    } else {
      greeted = true;
    }
  }
}
