package io.moonpool.core.index;

import io.moonpool.core.floor.FloorMap;
import io.moonpool.core.floor.LongFifo;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The records of one disk that are dead and have no tombstone yet, for its node to be told: first
 * come, first told, and told again when it does not answer in time.
 *
 * <p>Keys are packed into the queues, since their objects are gone from the index.
 */
final class DeadRecords {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** By the hash of their key, the highest version that was or will be told. */
  private final FloorMap highest = new FloorMap();

  private final LongFifo untold = new LongFifo();

  /** What was told, in the order in which that was. */
  private final LongFifo told = new LongFifo();

  private byte[] scratch = new byte[256];

  boolean isEmpty() {
    return untold.isEmpty();
  }

  void add(long version, long hash, int tenant, byte[] bytes, int offset, int length) {
    highest.raise(hash, version);
    put(untold, 0, version, hash, tenant, bytes, offset, length);
  }

  private static void put(
      LongFifo queue,
      long toldMillis,
      long version,
      long hash,
      int tenant,
      byte[] bytes,
      int offset,
      int length) {
    queue.add(toldMillis);
    queue.add(hash);
    queue.add(version);
    queue.add(((long) tenant << 32) | length);
    int at = offset;
    int end = offset + length;
    for (; end - at >= Long.BYTES; at += Long.BYTES) {
      queue.add((long) LONG.get(bytes, at));
    }
    if (at < end) {
      long rest = 0;
      for (int shift = 0; at < end; at++, shift += Byte.SIZE) {
        rest |= (bytes[at] & 0xffL) << shift;
      }
      queue.add(rest);
    }
  }

  /** Takes the first record of a queue, telling it when there is a sink, and puts it in another. */
  private void move(LongFifo from, LongFifo to, long nowMillis, DroppedSink sink) {
    from.poll();
    long hash = from.poll();
    long version = from.poll();
    long sizes = from.poll();
    int tenant = (int) (sizes >>> 32);
    int length = (int) sizes;
    int words = (length + Long.BYTES - 1) / Long.BYTES;
    if (scratch.length < words * Long.BYTES) {
      scratch = new byte[words * Long.BYTES];
    }
    for (int i = 0; i < words; i++) {
      LONG.set(scratch, i * Long.BYTES, from.poll());
    }
    if (isOutstanding(hash, version)) {
      sink.dropped(tenant, scratch, 0, length, version);
      put(to, nowMillis, version, hash, tenant, scratch, 0, length);
    }
  }

  private boolean isOutstanding(long hash, long version) {
    return highest.get(hash) >= version;
  }

  /** Tells records; those first that were told before a time and are not acknowledged. */
  int tell(int max, long nowMillis, long againIfBeforeMillis, DroppedSink sink) {
    int[] count = {0};
    DroppedSink counted =
        (tenant, key, offset, length, version) -> {
          count[0]++;
          sink.dropped(tenant, key, offset, length, version);
        };
    // At most a few that were acknowledged are passed over per record, so that a call is bounded.
    for (int i = 0; i < 2 * max && count[0] < max && !told.isEmpty(); i++) {
      boolean waits = told.peek(0) > againIfBeforeMillis;
      if (waits && isOutstanding(told.peek(1), told.peek(2))) {
        break;
      }
      move(told, told, nowMillis, counted);
    }
    while (count[0] < max && !untold.isEmpty()) {
      move(untold, told, nowMillis, counted);
    }
    return count[0];
  }

  /**
   * The node has a tombstone for a record and for those of its key that were told before. Answers
   * whether that is all of its key.
   */
  boolean acknowledge(long hash, long version) {
    return highest.removeUpTo(hash, version);
  }
}
