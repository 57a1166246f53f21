package io.moonpool.storage;

import io.moonpool.storage.bucket.Bucket;
import io.moonpool.storage.bucket.BucketFiles;
import io.moonpool.storage.bucket.DamagedIndexException;
import io.moonpool.storage.file.FileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walks the live objects in pages, bucket by bucket in the order of their ids. An object that is
 * live from the first page to the last is seen, also when a collection copies it meanwhile: copies
 * are in younger buckets, which come later. It may then be seen twice. What is stored, removed or
 * evicted meanwhile may or may not be seen; who started the scan knows of it. Buckets that are
 * being evicted are left out.
 *
 * <p>One thread; it may be another one than the writer's.
 */
public final class StoreScan {
  private static final Logger LOG = LoggerFactory.getLogger(BucketStore.class);

  private final Evictions evictions;
  private final StoreState state;
  private final Deque<ObjectRecord> waiting = new ArrayDeque<>();
  private long lastId = -1;
  private boolean ended;

  StoreScan(Evictions evictions, StoreState state) {
    this.evictions = evictions;
    this.state = state;
  }

  /**
   * The next objects. Reads as many index files as it needs.
   *
   * @param maxItems at least 1
   * @return empty at the end, and from then on
   */
  public List<ObjectRecord> next(int maxItems) {
    if (maxItems < 1) {
      throw new IllegalArgumentException("a page has at least 1 item");
    }
    while (waiting.size() < maxItems && !ended) {
      Map.Entry<Long, Bucket> next = state.buckets.higherEntry(lastId);
      if (next == null) {
        ended = true;
      } else {
        lastId = next.getKey();
        read(next.getValue());
      }
    }
    List<ObjectRecord> page = new ArrayList<>(Math.min(maxItems, waiting.size()));
    while (page.size() < maxItems && !waiting.isEmpty()) {
      page.add(waiting.remove());
    }
    return page;
  }

  private void read(Bucket bucket) {
    if (bucket.evicting() || bucket.liveObjects() == 0 || !bucket.enter()) {
      return;
    }
    try {
      waiting.addAll(evictions.live(bucket));
    } catch (DamagedIndexException | FileException e) {
      // It was whole when the store was opened: the values can still be read by version.
      LOG.warn(
          "The index of bucket {} cannot be read any more, its objects are not reported: {}",
          BucketFiles.hex(bucket.id()),
          e.getMessage());
    } finally {
      bucket.exit();
    }
  }
}
