package io.moonpool.storage;

import io.moonpool.storage.bucket.Bucket;
import io.moonpool.storage.bucket.BucketFiles;
import io.moonpool.storage.bucket.DamagedIndexException;
import io.moonpool.storage.file.FileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walks the live objects of the buckets that there were when it began, in pages. What is stored,
 * removed or evicted meanwhile may or may not be seen; who started the scan knows of it. Buckets
 * that are being evicted are left out.
 *
 * <p>One thread; it may be another one than the writer's.
 */
public final class StoreScan {
  private static final Logger LOG = LoggerFactory.getLogger(BucketStore.class);

  private final Evictions evictions;
  private final Deque<Bucket> buckets;
  private final Deque<ObjectRecord> waiting = new ArrayDeque<>();

  StoreScan(Evictions evictions, StoreState state) {
    this.evictions = evictions;
    this.buckets = new ArrayDeque<>(state.buckets.values());
  }

  /**
   * The next objects. Reads as many index files as it needs.
   *
   * @param maxItems at least 1
   * @return empty at the end
   */
  public List<ObjectRecord> next(int maxItems) {
    if (maxItems < 1) {
      throw new IllegalArgumentException("a page has at least 1 item");
    }
    while (waiting.size() < maxItems && !buckets.isEmpty()) {
      read(buckets.remove());
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
