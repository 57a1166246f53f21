package io.moonpool.protocol.mooncake;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.frame.FrameCounter;
import io.moonpool.protocol.frame.FrameCounters;
import io.moonpool.protocol.frame.FrameDispatcher;
import io.moonpool.protocol.frame.FrameLimits;
import io.moonpool.protocol.frame.FrameServerHandler;
import io.moonpool.protocol.wire.MalformedMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Recorded frames, changed at random, do no harm: each is answered or closes its connection,
 * nothing is thrown and no buffer is left. The corpus is what was recorded; the same seed gives the
 * same frames. {@code -Dmoonpool.fuzz.seconds=600} goes on for longer, with other seeds.
 */
class MooncakeFuzzTest {
  private static final long SEED = 20260822;
  private static final int FRAMES = 20_000;
  private static final FrameLimits LIMITS = new FrameLimits(1 << 20, 64, 1 << 20, 60_000);

  /** Sizes and lengths that decoders get wrong. */
  private static final long[] EDGES = {
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0x100,
    0x7fff,
    0xffff,
    0x1_0000,
    0x7fff_ffffL,
    0x8000_0000L,
    0xffff_ffffL
  };

  private static <Q, R> void refuse(FrameDispatcher.Builder table, Call<Q, R> call) {
    table.on(call, ignored -> Future.failedFuture(new StoreException(ErrorCode.OBJECT_NOT_FOUND)));
  }

  private static FrameDispatcher table() {
    FrameDispatcher.Builder table = FrameDispatcher.builder();
    Set<Integer> ids = new HashSet<>();
    for (Call<?, ?> call : MooncakeCalls.all()) {
      // Those without a place for failures are not asked.
      if (ids.add(call.functionId()) && call.answer().carriesFailures()) {
        refuse(table, call);
      }
    }
    return table.build();
  }

  private static byte[] mutated(List<byte[]> corpus, SplittableRandom random) {
    byte[] frame = corpus.get(random.nextInt(corpus.size())).clone();
    int changes = 1 + random.nextInt(6);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(frame.length);
      switch (random.nextInt(6)) {
        case 0 -> frame[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> frame[at] = (byte) random.nextInt(256);
        case 2 -> frame = Arrays.copyOf(frame, 1 + random.nextInt(frame.length));
        case 3 -> {
          long edge = EDGES[random.nextInt(EDGES.length)];
          for (int b = 0; b < 4 && at + b < frame.length; b++) {
            frame[at + b] = (byte) (edge >>> (8 * b));
          }
        }
        case 4 -> {
          byte[] other = corpus.get(random.nextInt(corpus.size()));
          int length = Math.min(random.nextInt(16), Math.min(frame.length - at, other.length));
          System.arraycopy(other, other.length - length, frame, at, length);
        }
        default -> {
          byte[] longer = Arrays.copyOf(frame, frame.length + random.nextInt(32));
          System.arraycopy(
              frame, at, longer, longer.length - (frame.length - at), frame.length - at);
          frame = longer;
        }
      }
    }
    return frame;
  }

  private static void feed(FrameDispatcher table, List<byte[]> corpus, SplittableRandom random) {
    FrameCounters counters = new FrameCounters();
    EmbeddedChannel channel =
        new EmbeddedChannel(new FrameServerHandler(table, LIMITS, counters, null));
    List<ByteBuf> sent = new ArrayList<>();
    for (int i = 0; i < 8 && channel.isActive(); i++) {
      ByteBuf frame = Unpooled.copiedBuffer(mutated(corpus, random));
      sent.add(frame);
      channel.writeInbound(frame);
      channel.runPendingTasks();
    }
    for (ByteBuf answer = channel.readOutbound(); answer != null; answer = channel.readOutbound()) {
      assertThat(answer.getByte(answer.readerIndex())).isEqualTo((byte) 0x15);
      answer.release();
    }
    channel.finishAndReleaseAll();
    assertThat(counters.get(FrameCounter.EXCEPTIONS)).isZero();
    assertThat(sent).allSatisfy(frame -> assertThat(frame.refCnt()).isZero());
  }

  @Test
  void mutatedFramesDoNoHarm() throws IOException {
    List<byte[]> corpus = Exchange.all().stream().map(Exchange::request).toList();
    FrameDispatcher table = table();
    SplittableRandom random = new SplittableRandom(SEED);
    long endNanos =
        System.nanoTime()
            + TimeUnit.SECONDS.toNanos(Integer.getInteger("moonpool.fuzz.seconds", 0));
    for (int i = 0; i < FRAMES / 8 || System.nanoTime() < endNanos; i++) {
      feed(table, corpus, random);
    }
  }

  /** Answers are decoded by clients and by load tests. */
  @Test
  void mutatedAnswersAreDecodedOrRefused() throws IOException {
    List<Exchange> exchanges = Exchange.all();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < FRAMES; i++) {
      Exchange exchange = exchanges.get(random.nextInt(exchanges.size()));
      byte[] frame = mutated(List.of(exchange.response()), random);
      ByteBuf body = Unpooled.wrappedBuffer(frame);
      body.skipBytes(Math.min(16, frame.length));
      try {
        exchange.described().answer().decode(body);
      } catch (MalformedMessage | StoreException refused) {
        // As it should be.
      }
    }
  }
}
