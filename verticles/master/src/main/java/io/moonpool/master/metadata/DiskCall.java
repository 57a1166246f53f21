package io.moonpool.master.metadata;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.KeyBatch;
import java.util.List;
import java.util.function.Function;

/**
 * A batch of what a node tells of objects on its disk; they may be of different tenants.
 *
 * @param <I> what is told of one
 */
abstract class DiskCall<I> extends KeyedCall<Void> {
  private final List<I> items;
  private final int[] tenants;
  private final SegmentMount disk;

  /**
   * A batch.
   *
   * @param key the key of an item
   * @param tenants the tenant of each item
   */
  DiskCall(SegmentMount disk, List<I> items, Function<I, byte[]> key, int[] tenants) {
    super(0, keys(items, key));
    this.items = items;
    this.tenants = tenants;
    this.disk = disk;
  }

  private static <I> KeyBatch keys(List<I> items, Function<I, byte[]> key) {
    KeyBatch keys = new KeyBatch(items.size());
    for (I item : items) {
      byte[] bytes = key.apply(item);
      keys.add(bytes, 0, bytes.length);
    }
    return keys;
  }

  @Override
  final int tenant(int index) {
    return tenants[index];
  }

  final I item(int index) {
    return items.get(index);
  }

  final SegmentMount disk() {
    return disk;
  }
}
