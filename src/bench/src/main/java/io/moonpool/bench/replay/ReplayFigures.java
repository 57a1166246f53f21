package io.moonpool.bench.replay;

import io.vertx.core.json.JsonObject;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What a replay came to.
 *
 * @param requests of the trace
 * @param blocks in all their prompts
 * @param hitBlocks blocks that were there, up to the first of each prompt that was not
 * @param failedPuts blocks that found no space, or that another client was putting
 * @param evicted objects that were evicted
 * @param locateNanos how long it took to ask for the blocks of a prompt
 * @param putNanos how long it took to start and end the put of those that were not there
 */
public record ReplayFigures(
    long requests,
    long blocks,
    long hitBlocks,
    long failedPuts,
    long evicted,
    double seconds,
    Histogram locateNanos,
    Histogram putNanos) {
  /** The share of blocks that need not be computed again. */
  public double hitRatio() {
    return blocks == 0 ? 0 : (double) hitBlocks / blocks;
  }

  /** For programs. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("requests", requests)
        .put("blocks", blocks)
        .put("hit_blocks", hitBlocks)
        .put("hit_ratio", hitRatio())
        .put("failed_puts", failedPuts)
        .put("evicted", evicted)
        .put("seconds", seconds)
        .put("locate", times(locateNanos))
        .put("put", times(putNanos));
  }

  private static JsonObject times(Histogram nanos) {
    return new JsonObject()
        .put("p50_us", nanos.getValueAtPercentile(50) / 1e3)
        .put("p99_us", nanos.getValueAtPercentile(99) / 1e3)
        .put("max_us", nanos.getMaxValue() / 1e3);
  }

  /** For people. */
  public String toText() {
    return String.format(
            Locale.ROOT,
            "%,d requests of %,d blocks in %.1f s%nhit ratio %.1f %%: %,d blocks were there, %,d puts failed,"
                + " %,d objects were evicted%n",
            requests,
            blocks,
            seconds,
            hitRatio() * 100,
            hitBlocks,
            failedPuts,
            evicted)
        + line("locate of a prompt", locateNanos)
        + line("put of what was missing", putNanos);
  }

  private static String line(String what, Histogram nanos) {
    return String.format(
        Locale.ROOT,
        "%-24s p50 %,.0f us, p99 %,.0f us, max %,.0f us%n",
        what,
        nanos.getValueAtPercentile(50) / 1e3,
        nanos.getValueAtPercentile(99) / 1e3,
        nanos.getMaxValue() / 1e3);
  }
}
