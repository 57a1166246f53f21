package io.moonpool.bench.replay;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * One request of a trace.
 *
 * @param timestampMillis when it came, from the start of the trace
 * @param inputTokens length of the prompt
 * @param outputTokens length of the answer
 * @param blocks what names each block of {@value #BLOCK_TOKENS} tokens of the prompt, with all that
 *     is before it: requests whose prompts begin alike begin with the same names
 */
public record TraceRequest(
    long timestampMillis, long inputTokens, long outputTokens, long[] blocks) {
  /** Tokens of a block; the last one of a prompt may be shorter. */
  public static final int BLOCK_TOKENS = 512;

  /**
   * Reads a line of a trace: a JSON object with {@code timestamp}, {@code input_length}, {@code
   * output_length} and {@code hash_ids}.
   *
   * @throws IllegalArgumentException when it is none, with a message that says why
   */
  public static TraceRequest parse(String line) {
    try {
      JsonObject json = new JsonObject(line);
      JsonArray ids = json.getJsonArray("hash_ids");
      if (ids == null) {
        throw new IllegalArgumentException("it has no hash_ids");
      }
      long[] blocks = new long[ids.size()];
      for (int i = 0; i < blocks.length; i++) {
        Long id = ids.getLong(i);
        if (id == null) {
          throw new IllegalArgumentException("a hash id is null");
        }
        blocks[i] = id;
      }
      return new TraceRequest(
          number(json, "timestamp"),
          number(json, "input_length"),
          number(json, "output_length"),
          blocks);
    } catch (DecodeException | ClassCastException e) {
      throw new IllegalArgumentException(
          "it is no JSON object with timestamp, input_length, output_length and hash_ids", e);
    }
  }

  private static long number(JsonObject json, String name) {
    Number value = json.getNumber(name);
    if (value == null) {
      throw new IllegalArgumentException("it has no " + name);
    }
    return value.longValue();
  }

  /** The line that {@link #parse} reads. */
  public String toLine() {
    JsonArray ids = new JsonArray();
    for (long block : blocks) {
      ids.add(block);
    }
    return new JsonObject()
        .put("timestamp", timestampMillis)
        .put("input_length", inputTokens)
        .put("output_length", outputTokens)
        .put("hash_ids", ids)
        .encode();
  }
}
