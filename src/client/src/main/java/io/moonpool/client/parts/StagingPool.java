package io.moonpool.client.parts;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.transfer.AnonymousRegion;
import io.moonpool.transfer.Region;
import io.moonpool.transfer.Workers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A bounded amount of memory outside the heap, for values on their way between a file or a socket
 * and the pool. Slabs of the size of a part are allocated when first needed, kept, and lent again;
 * values of up to a sixteenth of it share what one more slab would take. Who comes when everything
 * is lent waits, in order of arrival.
 *
 * <p>Any thread may call.
 */
public final class StagingPool {
  /** Memory that is lent until {@link #release}. */
  public interface Staging {
    /** As many bytes as were asked for; their content is undefined. */
    MemorySegment memory();

    /** Gives the memory back; nobody may touch it afterwards. Once. */
    void release();
  }

  private record Waiter(long bytes, Promise<Staging> promise) {}

  private final Workers worker;
  private final long slabBytes;
  private final int maxSlabs;

  // Guarded by this.
  private final ArrayDeque<Region> free = new ArrayDeque<>();
  private final List<Region> slabs = new ArrayList<>();
  private final ArrayDeque<Waiter> waitingForSlabs = new ArrayDeque<>();
  private final ArrayDeque<Waiter> waitingForBytes = new ArrayDeque<>();
  private int slabCount;
  private long smallBytes;
  private boolean closed;

  /**
   * A pool; allocates nothing yet.
   *
   * @param worker where slabs are allocated and unmapped
   * @param slabBytes the largest amount that can be asked for
   * @param totalBytes at least twice as many
   */
  public StagingPool(Workers worker, long slabBytes, long totalBytes) {
    if (slabBytes < 1 || totalBytes < 2 * slabBytes) {
      throw new IllegalArgumentException(
          "a staging pool of "
              + totalBytes
              + " bytes is too small: it needs twice the part size of "
              + slabBytes);
    }
    this.worker = worker;
    this.slabBytes = slabBytes;
    this.maxSlabs = Math.toIntExact(Math.min(totalBytes / slabBytes - 1, Integer.MAX_VALUE));
    this.smallBytes = slabBytes;
  }

  /** The largest amount that can be asked for, in bytes. */
  public long maxBytes() {
    return slabBytes;
  }

  /** Whether so many bytes share a slab with others. */
  public boolean isSmall(long bytes) {
    return bytes <= slabBytes / 16;
  }

  /** How many slabs can be lent at a time, apart from the one that small amounts share. */
  public int slabs() {
    return maxSlabs;
  }

  /**
   * Lends memory, when it is this caller's turn.
   *
   * @param bytes 1 to {@link #maxBytes}
   */
  public Future<Staging> take(long bytes) {
    if (bytes < 1 || bytes > slabBytes) {
      throw new IllegalArgumentException(bytes + " bytes are not 1 to " + slabBytes);
    }
    return isSmall(bytes) ? takeSmall(bytes) : takeSlab(bytes);
  }

  private Future<Staging> takeSmall(long bytes) {
    Promise<Staging> promise = Promise.promise();
    synchronized (this) {
      if (closed) {
        return closedFailure();
      }
      if (!waitingForBytes.isEmpty() || smallBytes < bytes) {
        waitingForBytes.add(new Waiter(bytes, promise));
        return promise.future();
      }
      smallBytes -= bytes;
    }
    return Future.succeededFuture(new Small((int) bytes));
  }

  private Future<Staging> takeSlab(long bytes) {
    Region region;
    synchronized (this) {
      if (closed) {
        return closedFailure();
      }
      region = free.poll();
      if (region == null && slabCount == maxSlabs) {
        Promise<Staging> promise = Promise.promise();
        waitingForSlabs.add(new Waiter(bytes, promise));
        return promise.future();
      }
      if (region == null) {
        slabCount++;
      }
    }
    if (region != null) {
      return Future.succeededFuture(new Slab(region, bytes));
    }
    return worker
        .<Region>run(() -> AnonymousRegion.allocate(slabBytes))
        .compose(
            allocated -> {
              synchronized (this) {
                slabs.add(allocated);
              }
              return Future.<Staging>succeededFuture(new Slab(allocated, bytes));
            },
            failure -> {
              synchronized (this) {
                slabCount--;
              }
              return Future.failedFuture(failure);
            });
  }

  private static Future<Staging> closedFailure() {
    return Future.failedFuture(
        new StoreException(
            ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
            "the staging pool is closed, since this process ends"));
  }

  private void giveBack(Region region) {
    Waiter next;
    synchronized (this) {
      next = waitingForSlabs.poll();
      if (next == null) {
        free.push(region); // the one that was used last is warm
        return;
      }
    }
    next.promise.complete(new Slab(region, next.bytes));
  }

  private void giveBack(long bytes) {
    List<Waiter> served = new ArrayList<>();
    synchronized (this) {
      smallBytes += bytes;
      for (Waiter next = waitingForBytes.peek();
          next != null && next.bytes <= smallBytes;
          next = waitingForBytes.peek()) {
        waitingForBytes.remove();
        smallBytes -= next.bytes;
        served.add(next);
      }
    }
    for (Waiter waiter : served) {
      waiter.promise.complete(new Small((int) waiter.bytes));
    }
  }

  /** Unmaps the slabs. Nothing may be lent any more. */
  public Future<Void> close() {
    List<Region> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(slabs);
      slabs.clear();
      free.clear();
    }
    return worker
        .run(
            () -> {
              all.forEach(Region::close);
              return null;
            })
        .mapEmpty();
  }

  private final class Slab implements Staging {
    private final Region region;
    private final MemorySegment memory;

    Slab(Region region, long bytes) {
      this.region = region;
      this.memory = region.memory().asSlice(0, bytes);
    }

    @Override
    public MemorySegment memory() {
      return memory;
    }

    @Override
    public void release() {
      giveBack(region);
    }
  }

  private final class Small implements Staging {
    private final ByteBuf buffer;
    private final MemorySegment memory;

    Small(int bytes) {
      buffer = PooledByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
      memory = MemorySegment.ofBuffer(buffer.internalNioBuffer(0, bytes));
    }

    @Override
    public MemorySegment memory() {
      return memory;
    }

    @Override
    public void release() {
      buffer.release();
      giveBack(memory.byteSize());
    }
  }
}
