package io.moonpool.transfer;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopPeersTest {
  private static final int PEERS = 5;

  private final EventLoop eventLoop = new DefaultEventLoop();

  @AfterEach
  void stop() {
    eventLoop.shutdownGracefully(0, 1, SECONDS);
  }

  /** The end of what has expired at a peer may begin something at another. */
  @Test
  void whatEndsInATickMayStartSomethingAtANewPeer() throws Exception {
    Peers peers = new Peers();
    eventLoop.execute(() -> peers.submit(0, transfer()));
    assertThat(peers.allTicked.await(10, SECONDS)).isTrue();
    assertThat(peers.made).containsExactly(0, 1, 2, 3, 4);
  }

  private static MooncakeTransfer transfer() {
    MemorySegment bytes = MemorySegment.ofArray(new byte[1]);
    return new MooncakeTransfer(true, bytes, 0, Long.MAX_VALUE / 2, (done, failure) -> {});
  }

  /** Peers of which each starts something at the next one, once, when it is looked at. */
  private final class Peers extends LoopPeers<Integer, MooncakeTransfer> {
    final List<Integer> made = new ArrayList<>();
    final CountDownLatch allTicked = new CountDownLatch(PEERS);

    Peers() {
      super(eventLoop);
    }

    @Override
    Connections<MooncakeTransfer> peer(Integer number) {
      made.add(number);
      return new Chained(number);
    }

    private final class Chained implements Connections<MooncakeTransfer> {
      private final int number;
      private boolean ticked;

      Chained(int number) {
        this.number = number;
      }

      @Override
      public void submit(MooncakeTransfer transfer) {}

      @Override
      public void tick(long nowNanos) {
        if (!ticked) {
          ticked = true;
          if (number + 1 < PEERS) {
            Peers.this.submit(number + 1, transfer());
          }
          allTicked.countDown();
        }
      }

      @Override
      public boolean busy() {
        return true;
      }

      @Override
      public boolean unused() {
        return false;
      }

      @Override
      public void close() {}
    }
  }
}
