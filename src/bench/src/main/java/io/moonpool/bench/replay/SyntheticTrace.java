package io.moonpool.bench.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes up traces, for tests and for machines without a recorded one: conversations that grow turn
 * by turn and begin with one of a few system prompts. The same trace for the same seed.
 */
public final class SyntheticTrace {
  private static final int SYSTEM_PROMPTS = 16;
  private static final int SYSTEM_BLOCKS = 8;
  private static final int TURN_BLOCKS = 6;
  private static final double GOES_ON = 0.7;
  private static final int OPEN = 256;
  private static final int PERIOD_MILLIS = 50;

  private final SplittableRandom random;
  private final List<long[]> open = new ArrayList<>();
  private long nextBlock;

  private SyntheticTrace(long seed) {
    random = new SplittableRandom(seed);
    nextBlock = (long) SYSTEM_PROMPTS * SYSTEM_BLOCKS;
  }

  /** A trace of so many requests. */
  public static List<TraceRequest> of(int requests, long seed) {
    SyntheticTrace trace = new SyntheticTrace(seed);
    List<TraceRequest> all = new ArrayList<>(requests);
    for (int i = 0; i < requests; i++) {
      all.add(trace.next((long) i * PERIOD_MILLIS));
    }
    return all;
  }

  private TraceRequest next(long timestampMillis) {
    boolean goesOn = !open.isEmpty() && random.nextDouble() < GOES_ON;
    int which = goesOn ? random.nextInt(open.size()) : open.size();
    long[] before = goesOn ? open.get(which) : systemPrompt();
    int more = 1 + random.nextInt(TURN_BLOCKS);
    long[] blocks = Arrays.copyOf(before, before.length + more);
    for (int i = before.length; i < blocks.length; i++) {
      blocks[i] = nextBlock++;
    }
    if (goesOn) {
      open.set(which, blocks);
    } else if (open.size() < OPEN) {
      open.add(blocks);
    } else {
      open.set(random.nextInt(OPEN), blocks);
    }
    return new TraceRequest(
        timestampMillis,
        (long) blocks.length * TraceRequest.BLOCK_TOKENS
            - random.nextInt(TraceRequest.BLOCK_TOKENS),
        1 + random.nextInt(TraceRequest.BLOCK_TOKENS),
        blocks);
  }

  private long[] systemPrompt() {
    // The first ones are the most common.
    int one = random.nextInt(SYSTEM_PROMPTS);
    int other = random.nextInt(SYSTEM_PROMPTS);
    int prompt = Math.min(one, other);
    long[] blocks = new long[SYSTEM_BLOCKS];
    for (int i = 0; i < SYSTEM_BLOCKS; i++) {
      blocks[i] = (long) prompt * SYSTEM_BLOCKS + i;
    }
    return blocks;
  }
}
