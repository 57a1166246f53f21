package io.moonpool.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import io.moonpool.protocol.wire.RandomBodies.Sample;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Bodies that were flipped, cut or extended are refused with {@link MalformedMessage} or decoded to
 * some value, and cost memory in proportion to their length only.
 */
class MutationTest {
  private static final int SEEDS = 40;
  private static final int MUTATIONS = 30;

  /** The largest objects that few bytes can stand for are map entries and one-byte strings. */
  private static final int BYTES_PER_BYTE = 160;

  /** Covers what the first use of a class costs; unchecked sizes would cost many times more. */
  private static final int BYTES_PER_BODY = 1 << 20;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void mutatedBodiesAreValuesOrMalformed() {
    int malformed = 0;
    int decoded = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      for (Sample<?> sample : new RandomBodies(seed).samples()) {
        byte[] body = encode(sample, random.nextBoolean() ? Form.SHORT : Form.LITERAL);
        for (int i = 0; i < MUTATIONS; i++) {
          if (decodes(sample, mutate(body, random))) {
            decoded++;
          } else {
            malformed++;
          }
        }
      }
    }
    // Both happen often, or this test would look at one side only.
    assertThat(malformed).isGreaterThan(1_000);
    assertThat(decoded).isGreaterThan(1_000);
  }

  private static <T> byte[] encode(Sample<T> sample, Form form) {
    ByteBuf body =
        sample.message().encode(ByteBufAllocator.DEFAULT, 0, 1 << 24, sample.value(), form);
    try {
      return ByteBufUtil.getBytes(body);
    } finally {
      body.release();
    }
  }

  private static boolean decodes(Sample<?> sample, byte[] bytes) {
    ByteBuf body = Unpooled.wrappedBuffer(bytes);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    boolean decoded;
    try {
      sample.message().decode(body);
      decoded = true;
    } catch (MalformedMessage e) {
      decoded = false;
    } catch (Throwable e) {
      return fail("%s from %s".formatted(sample.name(), ByteBufUtil.hexDump(bytes)), e);
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated)
        .as("bytes allocated for a %s of %d bytes", sample.name(), bytes.length)
        .isLessThan((long) BYTES_PER_BYTE * bytes.length + BYTES_PER_BODY);
    return decoded;
  }

  private static byte[] mutate(byte[] body, SplittableRandom random) {
    byte[] mutated = body.clone();
    // Heads and literals are checked first: leave them alone most of the time.
    int from = random.nextInt(8) == 0 ? 0 : Math.min(body.length - 1, payloadStart(body));
    switch (random.nextInt(5)) {
      case 0 -> mutated[random.nextInt(from, body.length)] ^= (byte) (1 << random.nextInt(8));
      case 1 -> mutated[random.nextInt(from, body.length)] = (byte) random.nextInt();
      case 2 -> mutated = Arrays.copyOf(mutated, random.nextInt(from, body.length));
      case 3 -> mutated = Arrays.copyOf(mutated, body.length + 1 + random.nextInt(20));
      default -> {
        int at = random.nextInt(from, body.length);
        int length = Math.min(body.length - at, 1 + random.nextInt(8));
        Arrays.fill(mutated, at, at + length, (byte) 0xff);
      }
    }
    return mutated;
  }

  private static int payloadStart(byte[] body) {
    if ((body[0] & Form.HAS_META) == 0) {
      return 4;
    }
    if ((body[4] & Form.HAS_LITERAL) == 0) {
      return 5;
    }
    int at = 5;
    while (body[at] != 0) {
      at++;
    }
    return at + 1;
  }

  @Test
  void randomBytesAreNeverTrusted() {
    List<Message<?>> messages = CapturedTypes.messages();
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 20_000; i++) {
      Message<?> message = messages.get(random.nextInt(messages.size()));
      byte[] bytes = new byte[4 + random.nextInt(200)];
      random.nextBytes(bytes);
      // A right head, or nothing else would be looked at.
      Unpooled.wrappedBuffer(bytes).setIntLE(0, message.code());
      decodes(new Sample<>(message.literal(), cast(message), null), bytes);
    }
  }

  @SuppressWarnings("unchecked") // the value is not used
  private static Message<Object> cast(Message<?> message) {
    return (Message<Object>) message;
  }
}
