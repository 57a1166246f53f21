package io.moonpool.storage.bucket;

import io.moonpool.libc.Errno;
import io.moonpool.storage.file.FileException;
import io.moonpool.storage.file.FileLayer;
import io.moonpool.storage.file.OpenFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Data files that are open for reading, the most recently used ones. Reads go around the page cache
 * where the file system lets them; where it does not, through it, with one warning and a count.
 *
 * <p>Any thread may call. Who reads has {@link Bucket#enter entered} the bucket.
 */
public final class DataFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DataFiles.class);

  private final FileLayer layer;
  private final BucketFiles names;
  private final int limit;
  private final boolean wantDirect;
  private final LongAdder bufferedOpens;
  private final AtomicBoolean warned = new AtomicBoolean();
  private final Map<Long, Handle> open = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * No file is open yet.
   *
   * @param limit how many files stay open
   * @param wantDirect false to read through the page cache
   * @param bufferedOpens counts files that were opened without O_DIRECT although it was wanted
   */
  public DataFiles(
      FileLayer layer, BucketFiles names, int limit, boolean wantDirect, LongAdder bufferedOpens) {
    this.layer = layer;
    this.names = names;
    this.limit = limit;
    this.wantDirect = wantDirect;
    this.bufferedOpens = bufferedOpens;
  }

  /**
   * Reads until the segment is full or the file ends.
   *
   * @param into aligned memory of whole blocks
   * @param position a multiple of a block
   * @return bytes read
   */
  public long read(long bucketId, MemorySegment into, long position) throws FileException {
    Handle handle = acquire(bucketId);
    try {
      return handle.file.read(into, position);
    } catch (FileException e) {
      if (e.errno() != Errno.EINVAL || !handle.file.direct()) {
        throw e;
      }
    } finally {
      release(handle);
    }
    // Opened without complaint, but read only with another alignment than ours.
    Path path = names.data(bucketId);
    refused(path);
    try (OpenFile buffered = layer.open(path, false)) {
      return buffered.read(into, position);
    }
  }

  /** Closes the file of a bucket that nobody reads any more. */
  public void forget(long bucketId) {
    Handle handle;
    synchronized (open) {
      handle = open.remove(bucketId);
      if (handle == null || handle.users > 0) {
        return; // the last user closes what is in the map no more
      }
    }
    handle.file.close();
  }

  private Handle acquire(long bucketId) throws FileException {
    synchronized (open) {
      Handle handle = open.get(bucketId);
      if (handle != null) {
        handle.users++;
        return handle;
      }
    }
    // Opening may block: not under the lock. Two readers may both do it; one file is closed again.
    Handle mine = new Handle(bucketId, openOrMakeRoom(names.data(bucketId)));
    @Nullable Handle loser = null;
    Handle winner;
    synchronized (open) {
      Handle other = open.get(bucketId);
      if (other == null) {
        open.put(bucketId, mine);
        winner = mine;
      } else {
        loser = mine;
        winner = other;
      }
      winner.users++;
      closeOldest(limit);
    }
    if (loser != null) {
      loser.file.close();
    }
    return winner;
  }

  /** A process that has no more files gives up half of those that nobody is reading from. */
  private OpenFile openOrMakeRoom(Path path) throws FileException {
    try {
      return openFile(path);
    } catch (FileException e) {
      boolean noMoreFiles = e.errno() == Errno.EMFILE || e.errno() == Errno.ENFILE;
      if (!noMoreFiles || !closeHalf()) {
        throw e;
      }
      return openFile(path);
    }
  }

  private boolean closeHalf() {
    synchronized (open) {
      int before = open.size();
      closeOldest(before / 2);
      return open.size() < before;
    }
  }

  private void release(Handle handle) {
    synchronized (open) {
      handle.users--;
      if (handle.users > 0 || open.get(handle.bucketId) == handle) {
        return;
      }
    }
    handle.file.close();
  }

  private void closeOldest(int keep) {
    Iterator<Handle> oldestFirst = open.values().iterator();
    while (open.size() > keep && oldestFirst.hasNext()) {
      Handle handle = oldestFirst.next();
      if (handle.users == 0) {
        oldestFirst.remove();
        handle.file.close();
      }
    }
  }

  private OpenFile openFile(Path path) throws FileException {
    if (!wantDirect) {
      return layer.open(path, false);
    }
    try {
      return layer.open(path, true);
    } catch (FileException e) {
      if (e.errno() != Errno.EINVAL) {
        throw e;
      }
      refused(path);
      return layer.open(path, false);
    }
  }

  private void refused(Path path) {
    bufferedOpens.increment();
    if (warned.compareAndSet(false, true)) {
      LOG.warn(
          "The file system of {} refuses O_DIRECT: reads go through the page cache, which costs"
              + " memory and CPU. Put the disk directory on ext4 or xfs.",
          path.getParent());
    }
  }

  /** Closes all files; nobody may be reading. */
  @Override
  public void close() {
    synchronized (open) {
      open.values().forEach(handle -> handle.file.close());
      open.clear();
    }
  }

  /** An open file and how many threads use it now. */
  private static final class Handle {
    final long bucketId;
    final OpenFile file;
    int users;

    Handle(long bucketId, OpenFile file) {
      this.bucketId = bucketId;
      this.file = file;
    }
  }
}
