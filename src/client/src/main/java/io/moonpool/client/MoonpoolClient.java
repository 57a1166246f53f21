package io.moonpool.client;

import io.moonpool.model.ClientInfo;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A client of a pool: the objects of one tenant.
 *
 * <p>Any thread may call any method; none blocks. Futures complete on the caller's Vert.x context
 * when it has one, else on the client's event loop, which must not be blocked. Callers that already
 * run on the client's context save the hop to it.
 *
 * <p>Failures are {@link io.moonpool.model.StoreException}s with a code of the error table. Items
 * of a batch fail one by one as {@link Outcome}s; the future of a batch fails only when all of it
 * did.
 *
 * <p>Keys are text of 1 to 65,535 bytes of UTF-8, else INVALID_KEY (empty: INVALID_PARAMS). Values
 * have at least one byte, else INVALID_PARAMS. Objects are immutable: a put of an existing object
 * fails with OBJECT_ALREADY_EXISTS (see {@link WriteOptions#ignoreExisting}); an upsert replaces it
 * at once, when all its bytes are in place. A value that was read is the value that one write
 * wrote: bytes are checked against the writer's checksum, and other replicas are tried before a
 * read fails.
 */
public interface MoonpoolClient {

  /**
   * Connects to a master.
   *
   * <p>Fails with RPC_FAIL when it cannot be reached. Later the client reconnects by itself; calls
   * fail with RPC_FAIL as long as that does not succeed.
   *
   * @param vertx hosts the client's event loop and worker threads
   */
  static Future<MoonpoolClient> connect(Vertx vertx, ClientOptions options) {
    return ClientConnector.connect(vertx, options);
  }

  /**
   * Connects to a master, using transports that this process has anyway; they stay open when the
   * client closes, and {@link ClientOptions#transports} is not looked at.
   */
  static Future<MoonpoolClient> connect(Vertx vertx, ClientOptions options, Transports transports) {
    return ClientConnector.connect(vertx, options, transports, Future::succeededFuture);
  }

  /** What it had to do again; the clients of other tenants on the same connections included. */
  ClientCounters counters();

  /** The options it was connected with. */
  ClientOptions options();

  /** The same connections for the objects of another tenant. Closing either closes both. */
  MoonpoolClient forTenant(String tenant);

  // Writes

  /** Puts a new object. The array must stay untouched until the future completes. */
  Future<Void> put(String key, byte[] value, WriteOptions options);

  /** Puts a new object with the default options. */
  default Future<Void> put(String key, byte[] value) {
    return put(key, value, WriteOptions.DEFAULT);
  }

  /** Puts a new object. The buffer must stay untouched until the future completes. */
  Future<Void> put(String key, Buffer value, WriteOptions options);

  /** Puts a new object with the default options. */
  default Future<Void> put(String key, Buffer value) {
    return put(key, value, WriteOptions.DEFAULT);
  }

  /**
   * Puts a new object straight from memory outside the heap, without a copy. It must stay alive and
   * untouched until the future completes, and must not belong to one thread ({@link
   * java.lang.foreign.Arena#ofConfined}).
   */
  Future<Void> putFrom(String key, MemorySegment value, WriteOptions options);

  /** Puts a new object straight from memory with the default options. */
  default Future<Void> putFrom(String key, MemorySegment value) {
    return putFrom(key, value, WriteOptions.DEFAULT);
  }

  /** Puts or replaces an object. The array must stay untouched until the future completes. */
  Future<Void> upsert(String key, byte[] value, WriteOptions options);

  /** Puts or replaces an object with the default options. */
  default Future<Void> upsert(String key, byte[] value) {
    return upsert(key, value, WriteOptions.DEFAULT);
  }

  /** Puts or replaces an object. The buffer must stay untouched until the future completes. */
  Future<Void> upsert(String key, Buffer value, WriteOptions options);

  /** Puts or replaces an object straight from memory outside the heap; see {@link #putFrom}. */
  Future<Void> upsertFrom(String key, MemorySegment value, WriteOptions options);

  /** Puts a batch of new objects: one outcome per key, in order. */
  Future<List<Outcome<Void>>> putBatch(
      List<String> keys, List<Buffer> values, WriteOptions options);

  /** Puts a batch of new objects straight from memory outside the heap; see {@link #putFrom}. */
  Future<List<Outcome<Void>>> putBatchFrom(
      List<String> keys, List<MemorySegment> values, WriteOptions options);

  /** Puts or replaces a batch of objects straight from memory; see {@link #putFrom}. */
  Future<List<Outcome<Void>>> upsertBatchFrom(
      List<String> keys, List<MemorySegment> values, WriteOptions options);

  // Reads

  /** The value. Fails with OBJECT_NOT_FOUND when there is none. */
  Future<Buffer> get(String key);

  /** The value as an array. Fails with OBJECT_NOT_FOUND when there is none. */
  Future<byte[]> getBytes(String key);

  /**
   * Reads the value straight into memory outside the heap, without a copy. Answers its size.
   *
   * <p>The target must stay alive and untouched until the future completes, and its content is
   * undefined after a failure. Fails with BUFFER_OVERFLOW when the value is larger.
   */
  Future<Long> getInto(String key, MemorySegment target);

  /**
   * Part of the value. Fails with INVALID_PARAMS when the range is not inside it.
   *
   * @param offset bytes from its start
   * @param length bytes
   */
  Future<Buffer> getRange(String key, long offset, int length);

  /** Reads {@code target.byteSize()} bytes from an offset of the value; see {@link #getInto}. */
  Future<Void> getRangeInto(String key, long offset, MemorySegment target);

  /** The values of a batch: one outcome per key, in order. */
  Future<List<Outcome<Buffer>>> getBatch(List<String> keys);

  /** Reads a batch straight into memory: one outcome, the value's size, per key, in order. */
  Future<List<Outcome<Long>>> getBatchInto(List<String> keys, List<MemorySegment> targets);

  /** Opens an object for reading piece by piece. Fails with OBJECT_NOT_FOUND when there is none. */
  Future<ObjectReader> open(String key);

  // Questions

  /** Whether the object can be read now. If so it is under a lease for the master's lease time. */
  Future<Boolean> exists(String key);

  /** Whether the objects of a batch can be read now. */
  Future<List<Outcome<Boolean>>> existsBatch(List<String> keys);

  /** The value's size in bytes. Does not lease the object. */
  Future<Long> size(String key);

  /** All that the master knows about the object. Does not lease it. */
  Future<ObjectInfo> describe(String key);

  /**
   * Lists objects.
   *
   * @param pattern a {@link java.util.regex.Pattern}, searched for in the key; empty for all
   * @param pageSize objects per page, 1 to 10,000
   */
  ObjectListing list(String pattern, int pageSize);

  /** All registered nodes. */
  Future<List<ClientInfo>> nodes();

  /** All mounted segments. */
  Future<List<SegmentInfo>> segments();

  /**
   * How this client would reach a memory segment now: {@code local}, {@code shm}, {@code ucx},
   * {@code tcp}, or {@code none} when it has no transport in common with the segment's node. Any
   * thread.
   */
  String transportTo(SegmentInfo segment);

  // Removals

  /**
   * Removes an object. Fails with OBJECT_NOT_FOUND when there is none.
   *
   * @param force also when it is under a read lease, instead of failing with OBJECT_HAS_LEASE
   */
  Future<Void> remove(String key, boolean force);

  /** Removes a batch of objects: one outcome per key, in order. */
  Future<List<Outcome<Void>>> removeBatch(List<String> keys, boolean force);

  /**
   * Removes every object whose key matches; those that cannot be removed stay. Answers how many
   * went.
   *
   * @param pattern a {@link java.util.regex.Pattern}, searched for in the key; empty for all
   * @param force also those under a read lease
   */
  Future<Long> removeMatching(String pattern, boolean force);

  /** Gives up what is under way and closes the connections. */
  Future<Void> close();
}
