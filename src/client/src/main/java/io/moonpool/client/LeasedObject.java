package io.moonpool.client;

import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.StoreException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One version of an object, read piece by piece. A piece is read from one replica and checked; when
 * that fails the next replica is asked. A lease that is more than half over is renewed while
 * reading goes on; when it is over, reading waits for the renewal.
 *
 * <p>Runs on the client's loop.
 */
final class LeasedObject implements ObjectReader {
  /** Pieces of a long read: whole blocks, so that each can be checked by itself. */
  private static final long PIECE_BYTES = 4L * Checksum.BLOCK_BYTES;

  private static final int PIECES_AT_ONCE = 4;

  /** Behind any memory. */
  private static final int DISK_DISTANCE = 3;

  private final ClientCore core;
  private final String tenant;
  private final String key;
  private final long size;
  private final long version;
  private final Checksum checksum;
  private final boolean checked;
  private Location location;
  private @Nullable Future<List<ReplicaDescriptor>> order;
  private @Nullable Future<Void> renewal;
  private int first;

  LeasedObject(ClientCore core, String tenant, String key, Location location) {
    this.core = core;
    this.tenant = tenant;
    this.key = key;
    this.location = location;
    this.size = location.object().size();
    this.version = location.object().version();
    this.checksum = location.object().checksum();
    this.checked = ValueSums.checkable(checksum.kind());
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public long version() {
    return version;
  }

  @Override
  public Checksum checksum() {
    return checksum;
  }

  @Override
  public Future<Void> read(long offset, MemorySegment target) {
    return core.loop().call(() -> readHere(offset, target));
  }

  /** Reads; see {@link #read}. Call on the client's loop. */
  Future<Void> readHere(long offset, MemorySegment target) {
    long length = target.byteSize();
    if (offset < 0 || length == 0 || offset > size - length) {
      return core.loop()
          .failed(
              ErrorCode.INVALID_PARAMS,
              "bytes "
                  + offset
                  + " to "
                  + (offset + length)
                  + " are not inside the object of "
                  + size
                  + " bytes");
    }
    if (checked && !ValueSums.wellFormed(checksum, size)) {
      return core.loop()
          .failed(
              ErrorCode.CHECKSUM_MISMATCH,
              "the checksums that were stored with the object do not fit its size: put it anew");
    }
    if (length == size && size <= Checksum.BLOCK_BYTES) {
      return readWholeBlocks(0, target); // the common case: nothing to cut
    }
    return new Walk(offset, target).start();
  }

  /** The size of the pieces that a checksum covers. */
  private long blockBytes() {
    return checked ? Math.min(size, Checksum.BLOCK_BYTES) : 1;
  }

  private Future<Void> readWholeBlocks(long offset, MemorySegment target) {
    return new PieceRead(core, this, offset, target).start();
  }

  String tenant() {
    return tenant;
  }

  /** True when its bytes can be checked. */
  boolean checked() {
    return checked;
  }

  /** When its lease ends. */
  long deadlineNanos() {
    return location.deadlineNanos();
  }

  /** Which of the {@link #replicas} is to be asked first. */
  int firstReplica() {
    return first;
  }

  /** Has another one of the {@link #replicas} asked first. */
  void firstReplica(int index) {
    first = index;
  }

  /**
   * The readable replicas: those in memory first, the nearest of them first; those at the same
   * distance take turns.
   */
  Future<List<ReplicaDescriptor>> replicas() {
    Future<List<ReplicaDescriptor>> known = order;
    if (known == null) {
      known = sorted(location.object().replicas());
      order = known;
    }
    return known;
  }

  private Future<List<ReplicaDescriptor>> sorted(List<ReplicaDescriptor> replicas) {
    List<ReplicaDescriptor> usable = new ArrayList<>(replicas.size());
    for (ReplicaDescriptor replica : replicas) {
      if ((replica.type() == ReplicaType.MEMORY || replica.type() == ReplicaType.LOCAL_DISK)
          && replica.status() == ReplicaStatus.COMPLETE
          && replica.size() == size) {
        usable.add(replica);
      }
    }
    if (usable.isEmpty()) {
      return core.loop()
          .failed(ErrorCode.INVALID_REPLICA, "the object has no replica that this client can read");
    }
    if (usable.size() == 1) {
      return Future.succeededFuture(usable);
    }
    List<Future<ReachableSegment>> found = new ArrayList<>(usable.size());
    usable.forEach(replica -> found.add(core.segments().find(replica.generation())));
    return Future.join(found)
        .transform(
            joined -> {
              Collections.rotate(usable, core.nextTurn() % usable.size());
              usable.sort(Comparator.comparingInt(this::distance));
              return Future.succeededFuture(usable);
            });
  }

  private int distance(ReplicaDescriptor replica) {
    ReachableSegment segment = core.segments().known(replica.generation());
    int hops = segment == null ? 2 : segment.near() ? 0 : 1;
    return replica.type() == ReplicaType.LOCAL_DISK ? DISK_DISTANCE + hops : hops;
  }

  /** Completes when the lease runs; starts to renew it when more than half of it is over. */
  Future<Void> live() {
    long leftNanos = location.deadlineNanos() - System.nanoTime();
    if (leftNanos <= 0) {
      return renew();
    }
    if (leftNanos < location.object().leaseMillis() * 500_000) {
      renew();
    }
    return Future.succeededFuture();
  }

  /** Asks the master anew; fails when the object is another one by now. */
  Future<Void> renew() {
    Future<Void> underWay = renewal;
    if (underWay != null) {
      return underWay;
    }
    Promise<Void> promise = core.loop().promise();
    renewal = promise.future();
    core.locator()
        .locate(tenant, key)
        .onComplete(
            answer -> {
              renewal = null;
              if (answer.failed()) {
                promise.fail(answer.cause());
              } else if (answer.result().object().version() != version) {
                promise.fail(
                    new StoreException(
                        ErrorCode.INVALID_VERSION,
                        "the object was replaced while it was read: read it again"));
              } else {
                location = answer.result();
                order = null;
                first = 0;
                promise.complete();
              }
            });
    return promise.future();
  }

  /** A read that is cut into pieces, some of them under way at once. */
  private final class Walk {
    private final MemorySegment target;
    private final long offset;
    private final long end;
    private final Promise<Void> done = core.loop().promise();
    private long position;
    private int active;
    private boolean pumping;
    private @Nullable Throwable failure;

    Walk(long offset, MemorySegment target) {
      this.target = target;
      this.offset = offset;
      this.position = offset;
      this.end = offset + target.byteSize();
    }

    Future<Void> start() {
      pump();
      return done.future();
    }

    private void pump() {
      if (pumping) {
        return;
      }
      pumping = true;
      while (failure == null && position < end && active < PIECES_AT_ONCE) {
        active++;
        next()
            .onComplete(
                read -> {
                  active--;
                  if (read.failed() && failure == null) {
                    failure = read.cause();
                  }
                  pump();
                });
      }
      pumping = false;
      if (active > 0) {
        return; // also after a failure: the target must not be written once this has completed
      }
      if (failure != null) {
        done.tryFail(failure);
      } else if (position == end) {
        done.tryComplete();
      }
    }

    private Future<Void> next() {
      long block = blockBytes();
      long start = position;
      long blockStart = start - start % block;
      long blockEnd = Math.min(size, blockStart + block);
      if (start != blockStart || end < blockEnd) {
        long stop = Math.min(end, blockEnd);
        position = stop;
        return readPart(blockStart, blockEnd, start, stop);
      }
      long stop = Math.min(end, start + PIECE_BYTES);
      if (stop != size) {
        stop -= stop % block;
      }
      position = stop;
      return readWholeBlocks(start, target.asSlice(start - offset, stop - start));
    }

    /** Reads a whole block aside, to check it, and copies what was asked for. */
    private Future<Void> readPart(long blockStart, long blockEnd, long from, long to) {
      int bytes = Math.toIntExact(blockEnd - blockStart);
      ByteBuf scratch = PooledByteBufAllocator.DEFAULT.directBuffer(bytes);
      MemorySegment aside = MemorySegment.ofBuffer(scratch.internalNioBuffer(0, bytes));
      return readWholeBlocks(blockStart, aside)
          .onSuccess(
              read ->
                  MemorySegment.copy(aside, from - blockStart, target, from - offset, to - from))
          .onComplete(done -> scratch.release());
    }
  }
}
