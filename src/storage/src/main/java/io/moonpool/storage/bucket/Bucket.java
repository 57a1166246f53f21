package io.moonpool.storage.bucket;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A committed bucket: its size, what of it is alive, and who is reading from it. Its bytes are
 * deleted only after {@link #retire} said that the last reader is gone.
 *
 * <p>The writer's thread changes what is alive and the eviction; any thread may read, enter and
 * leave.
 */
public final class Bucket {
  private final long id;
  private final int number;
  private final long valueBytes;
  private final long dataBytes;
  private final long indexBytes;
  private volatile int liveObjects;
  private volatile int hardPinnedObjects;
  private volatile long liveBytes;
  private volatile int tombstones;
  private volatile long lastAccess;
  private volatile boolean evicting;
  private volatile boolean checked;
  private volatile @Nullable String distrust;
  private int readers;
  private boolean retired;

  /**
   * A bucket without live objects.
   *
   * @param id in its files' names; grows with time and never comes again
   * @param number of this process, for {@link Location}; never comes again either
   * @param objects how many its index lists, dead ones included
   * @param dataBytes the length of the data file
   * @param indexBytes the length of the index file
   */
  public Bucket(long id, int number, int objects, long dataBytes, long indexBytes) {
    this.id = id;
    this.number = number;
    this.valueBytes =
        dataBytes - (long) Math.ceilDiv(objects, DescriptorBlock.MAX_VALUES) * Blocks.BYTES;
    this.dataBytes = dataBytes;
    this.indexBytes = indexBytes;
  }

  /** The id in its files' names: a greater one is younger. */
  public long id() {
    return id;
  }

  /** The number that locations of this process have. */
  public int number() {
    return number;
  }

  /** The length of the data file in bytes. */
  public long dataBytes() {
    return dataBytes;
  }

  /** What its files take on the disk, in bytes. */
  public long bytes() {
    return Blocks.up(dataBytes) + Blocks.up(indexBytes);
  }

  /** Objects that are in it and not dead. */
  public int liveObjects() {
    return liveObjects;
  }

  /** The bytes of their values, in whole blocks. */
  public long liveBytes() {
    return liveBytes;
  }

  /** Which part of the blocks with values is dead, 0 to 1. */
  public double deadRatio() {
    return valueBytes == 0 ? 0 : 1 - (double) liveBytes / valueBytes;
  }

  /** True when one of the live objects has a hard pin. */
  public boolean hardPinned() {
    return hardPinnedObjects > 0;
  }

  /** Tombstones of the log that name this bucket. */
  public int tombstones() {
    return tombstones;
  }

  /** True between the start and the end of its eviction. */
  public boolean evicting() {
    return evicting;
  }

  /** Says that its eviction started, or was cancelled, which lets readers in again. */
  public synchronized void setEvicting(boolean now) {
    evicting = now;
    if (!now) {
      retired = false;
      notifyAll();
    }
  }

  /** When it was last read or written, on the store's own clock; 0 for never in this process. */
  public long lastAccess() {
    return lastAccess;
  }

  /** Notes a read or the commit. Any thread; which of two at once is kept does not matter. */
  public void touch(long access) {
    lastAccess = access;
  }

  /** True when its data file was compared with its index. */
  public boolean checked() {
    return checked;
  }

  /**
   * Says that it was. Any thread.
   *
   * @return false when it had been said before
   */
  public synchronized boolean setChecked() {
    boolean first = !checked;
    checked = true;
    return first;
  }

  /** Why nothing of it is to be served; null when there is no reason. */
  public @Nullable String distrust() {
    return distrust;
  }

  /** Says that its data is not what its index says. Any thread. */
  public void setDistrust(String reason) {
    distrust = reason;
  }

  /** One more live object. The writer's thread. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes, others read
  public void added(Location location) {
    liveObjects++;
    liveBytes += Blocks.up(location.length());
    hardPinnedObjects += location.hardPinned() ? 1 : 0;
  }

  /** One live object less. The writer's thread. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes, others read
  public void removed(Location location) {
    liveObjects--;
    liveBytes -= Blocks.up(location.length());
    hardPinnedObjects -= location.hardPinned() ? 1 : 0;
  }

  /** More tombstones that name it. The writer's thread. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes, others read
  public void addTombstones(int more) {
    tombstones += more;
  }

  /**
   * Keeps the files while the caller reads; every success needs one {@link #exit}.
   *
   * @return false when the bucket is being deleted
   */
  public synchronized boolean enter() {
    if (retired) {
      return false;
    }
    readers++;
    return true;
  }

  /** The caller has finished reading. */
  public synchronized void exit() {
    readers--;
    if (readers == 0) {
      notifyAll();
    }
  }

  /** True once no new readers are let in. */
  public synchronized boolean retired() {
    return retired;
  }

  /**
   * Lets no new reader in and waits for those that are.
   *
   * @param waitMillis how long to wait
   * @return true when nobody reads any more; otherwise ask again, the bucket stays closed to new
   *     readers unless its eviction is cancelled
   */
  public synchronized boolean retire(long waitMillis) throws InterruptedException {
    retired = evicting;
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
    while (retired && readers > 0) {
      long leftNanos = deadlineNanos - System.nanoTime();
      if (leftNanos <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
    }
    return retired;
  }
}
