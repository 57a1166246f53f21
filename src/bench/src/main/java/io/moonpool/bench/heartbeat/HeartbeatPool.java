package io.moonpool.bench.heartbeat;

import io.moonpool.model.KeyBatch;
import io.moonpool.model.SegmentSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * Which client has which keys: the same in the process of the master, which restores them, and in
 * that of the clients. Keys go round the clients, and round the segments of each. Any thread.
 *
 * @param keys how many there are at the start
 * @param clients the originals, which are there throughout, then the others
 * @param segmentsPerClient how many segments each lends
 * @param fill how full the segments are at the start, above 0 and at most 1
 */
public record HeartbeatPool(long keys, int clients, int segmentsPerClient, double fill) {
  /** The length of each key. */
  public static final int KEY_BYTES = 64;

  /** The size of each object. */
  public static final long OBJECT_BYTES = 4096;

  private static final byte[] PREFIX =
      "moonpool/bench/heartbeat/v1/model-0/layer-00/kv-".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final int HEX_AT = KEY_BYTES - Long.BYTES * 2;
  private static final long NODES = 0x6d6f6f6e706f6f6cL;
  private static final long SEGMENTS = 0x7365676d656e7473L;

  /** Checks the numbers. */
  public HeartbeatPool {
    if (keys < clients || clients < 1 || segmentsPerClient < 1 || !(fill > 0 && fill <= 1)) {
      throw new IllegalArgumentException(
          "there must be at least one client, one segment and a key for each client");
    }
  }

  /** Writes the key of that number. */
  public static void key(long number, byte[] into) {
    System.arraycopy(PREFIX, 0, into, 0, HEX_AT);
    // Scattered, and different for different numbers: each step can be undone.
    long bits = number * 0x9E3779B97F4A7C15L;
    bits = (bits ^ (bits >>> 32)) * 0xD1B54A32D192ED03L;
    for (int i = KEY_BYTES - 1; i >= HEX_AT; i--) {
      into[i] = HEX[(int) bits & 15];
      bits >>>= 4;
    }
  }

  /**
   * Keys for one call.
   *
   * @param numbers the number of each key, by its place in the call
   */
  public static KeyBatch batch(int count, IntToLongFunction numbers) {
    KeyBatch keys = new KeyBatch(count, count * KEY_BYTES);
    byte[] key = new byte[KEY_BYTES];
    for (int i = 0; i < count; i++) {
      key(numbers.applyAsLong(i), key);
      keys.add(key, 0, key.length);
    }
    return keys;
  }

  /** The client that has a key of the start. */
  public int client(long number) {
    return (int) (number % clients);
  }

  /** The segment of its client that a key of the start is on. */
  public int segment(long number) {
    return (int) (number / clients % segmentsPerClient);
  }

  /** How many keys of the start a client has. */
  public long keysOf(int client) {
    return keys / clients + (client < keys % clients ? 1 : 0);
  }

  /** The node id of a client. */
  public UUID nodeId(int client) {
    return new UUID(NODES, client + 1);
  }

  /** The client of a node id, or -1. */
  public int clientOf(UUID nodeId) {
    long number = nodeId.getLeastSignificantBits() - 1;
    return nodeId.getMostSignificantBits() == NODES && number >= 0 && number < clients
        ? (int) number
        : -1;
  }

  /** The segments of a client. */
  public List<SegmentSpec> segments(int client) {
    long most = (keysOf(client) + segmentsPerClient - 1) / segmentsPerClient;
    long bytes = Math.max(1 << 20, (long) (most * OBJECT_BYTES / fill) + OBJECT_BYTES);
    return IntStream.range(0, segmentsPerClient)
        .mapToObj(
            segment ->
                SegmentSpec.memory(
                    new UUID(SEGMENTS, (long) client * segmentsPerClient + segment + 1),
                    "client-" + client + "-" + segment,
                    bytes,
                    "",
                    List.of()))
        .toList();
  }
}
