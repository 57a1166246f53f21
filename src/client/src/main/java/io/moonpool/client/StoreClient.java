package io.moonpool.client;

import io.moonpool.model.ClientInfo;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.ListClients;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.call.RemoveObjects;
import io.moonpool.transfer.PeerSegment;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;

/**
 * The client: checks arguments on the caller's thread, does the rest on the client's loop. One
 * instance per tenant; all share a {@link ClientCore}.
 */
final class StoreClient implements MoonpoolClient {
  private final ClientCore core;
  private final ClientOptions options;
  private final String tenant;
  private final Supplier<Future<Void>> closing;
  private final ObjectWriter puts;
  private final ObjectWriter upserts;
  private final ObjectReads reads;

  /**
   * A client.
   *
   * @param closing closes what was opened for the client
   */
  StoreClient(ClientCore core, ClientOptions options, Supplier<Future<Void>> closing) {
    this.core = core;
    this.options = options;
    this.tenant = options.tenant();
    this.closing = closing;
    this.puts = ObjectWriter.putting(core, tenant);
    this.upserts = ObjectWriter.upserting(core, tenant);
    this.reads = new ObjectReads(core, tenant);
  }

  @Override
  public ClientCounters counters() {
    return core.counters();
  }

  @Override
  public ClientOptions options() {
    return options;
  }

  @Override
  public MoonpoolClient forTenant(String other) {
    return new StoreClient(core, options.but().tenant(other).build(), closing);
  }

  // Writes

  @Override
  public Future<Void> put(String key, byte[] value, WriteOptions how) {
    return write(puts, key, MemorySegment.ofArray(value), how);
  }

  @Override
  public Future<Void> put(String key, Buffer value, WriteOptions how) {
    return write(puts, key, memory(value), how);
  }

  @Override
  public Future<Void> putFrom(String key, MemorySegment value, WriteOptions how) {
    return write(puts, key, value, how);
  }

  @Override
  public Future<Void> upsert(String key, byte[] value, WriteOptions how) {
    return write(upserts, key, MemorySegment.ofArray(value), how);
  }

  @Override
  public Future<Void> upsert(String key, Buffer value, WriteOptions how) {
    return write(upserts, key, memory(value), how);
  }

  @Override
  public Future<Void> upsertFrom(String key, MemorySegment value, WriteOptions how) {
    return write(upserts, key, value, how);
  }

  private Future<Void> write(
      ObjectWriter writer, String key, MemorySegment value, WriteOptions how) {
    return core.loop()
        .call(
            () -> {
              StoreException wrong = Arguments.checkKey(key);
              wrong = wrong == null ? Arguments.checkMemory(value) : wrong;
              return wrong == null ? writer.write(key, value, how) : Future.failedFuture(wrong);
            });
  }

  @Override
  public Future<List<Outcome<Void>>> putBatch(
      List<String> keys, List<Buffer> values, WriteOptions how) {
    return write(puts, keys, values.stream().map(StoreClient::memory).toList(), how);
  }

  @Override
  public Future<List<Outcome<Void>>> putBatchFrom(
      List<String> keys, List<MemorySegment> values, WriteOptions how) {
    return write(puts, keys, values, how);
  }

  @Override
  public Future<List<Outcome<Void>>> upsertBatchFrom(
      List<String> keys, List<MemorySegment> values, WriteOptions how) {
    return write(upserts, keys, values, how);
  }

  private Future<List<Outcome<Void>>> write(
      ObjectWriter writer, List<String> keys, List<MemorySegment> values, WriteOptions how) {
    List<String> fixedKeys = List.copyOf(keys);
    List<MemorySegment> fixedValues = List.copyOf(values);
    return core.loop()
        .call(
            () -> {
              StoreException wrong = Arguments.checkKeys(fixedKeys);
              wrong = wrong == null ? Arguments.checkMemory(fixedValues) : wrong;
              return wrong == null
                  ? writer.write(fixedKeys, fixedValues, how)
                  : Future.failedFuture(wrong);
            });
  }

  /** The bytes of a buffer, without a copy unless it is made of several. */
  private static MemorySegment memory(Buffer value) {
    ByteBuf bytes = ((BufferInternal) value).getByteBuf();
    if (bytes.hasArray()) {
      return MemorySegment.ofArray(bytes.array())
          .asSlice(bytes.arrayOffset() + bytes.readerIndex(), bytes.readableBytes());
    }
    ByteBuffer whole = bytes.nioBuffer();
    return MemorySegment.ofBuffer(whole);
  }

  // Reads

  @Override
  public Future<Buffer> get(String key) {
    return read(key, reads::bytes).map(StoreClient::wrap);
  }

  @Override
  public Future<byte[]> getBytes(String key) {
    return read(key, reads::bytes);
  }

  @Override
  public Future<Long> getInto(String key, MemorySegment target) {
    return readInto(key, target, object -> reads.into(object, target));
  }

  @Override
  public Future<Buffer> getRange(String key, long offset, int length) {
    return read(key, object -> reads.range(object, offset, length)).map(StoreClient::wrap);
  }

  @Override
  public Future<Void> getRangeInto(String key, long offset, MemorySegment target) {
    return readInto(key, target, object -> object.readHere(offset, target));
  }

  private <T> Future<T> readInto(String key, MemorySegment target, ObjectReads.Read<T> read) {
    StoreException wrong =
        target.isReadOnly()
            ? new StoreException(ErrorCode.INVALID_PARAMS, "the target is read-only")
            : null;
    return wrong == null
        ? read(
            key,
            object -> {
              StoreException foreign = Arguments.checkMemory(target);
              return foreign == null ? read.apply(object) : Future.failedFuture(foreign);
            })
        : Future.failedFuture(wrong);
  }

  private <T> Future<T> read(String key, ObjectReads.Read<T> read) {
    return core.loop()
        .call(
            () -> {
              StoreException wrong = Arguments.checkKey(key);
              return wrong == null ? reads.one(key, read) : Future.failedFuture(wrong);
            });
  }

  @Override
  public Future<List<Outcome<Buffer>>> getBatch(List<String> keys) {
    return readBatch(keys, (index, object) -> reads.bytes(object).map(StoreClient::wrap));
  }

  @Override
  public Future<List<Outcome<Long>>> getBatchInto(List<String> keys, List<MemorySegment> targets) {
    if (keys.size() != targets.size()) {
      return Future.failedFuture(
          new StoreException(
              ErrorCode.INVALID_PARAMS, "a batch needs one target for each of its keys"));
    }
    List<MemorySegment> fixed = List.copyOf(targets);
    return readBatch(
        keys,
        (index, object) -> {
          StoreException wrong = Arguments.checkMemory(fixed.get(index));
          return wrong == null ? reads.into(object, fixed.get(index)) : Future.failedFuture(wrong);
        });
  }

  private <T> Future<List<Outcome<T>>> readBatch(
      List<String> keys, ObjectReads.IndexedRead<T> read) {
    List<String> fixed = List.copyOf(keys);
    return core.loop()
        .call(
            () -> {
              StoreException wrong = Arguments.checkKeys(fixed);
              return wrong == null ? reads.batch(fixed, read) : Future.failedFuture(wrong);
            });
  }

  @Override
  public Future<ObjectReader> open(String key) {
    return core.loop()
        .call(
            () -> {
              StoreException wrong = Arguments.checkKey(key);
              return wrong == null
                  ? reads.open(key).map(object -> object)
                  : Future.failedFuture(wrong);
            });
  }

  /** A buffer over an array, without a copy. */
  private static Buffer wrap(byte[] bytes) {
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes));
  }

  // Questions

  @Override
  public Future<Boolean> exists(String key) {
    return named(key, Calls.EXISTS);
  }

  @Override
  public Future<List<Outcome<Boolean>>> existsBatch(List<String> keys) {
    List<String> fixed = List.copyOf(keys);
    return core.loop()
        .call(
            () -> {
              StoreException wrong = Arguments.checkKeys(fixed);
              return wrong != null
                  ? Future.failedFuture(wrong)
                  : SplitCalls.make(
                      core.loop(),
                      fixed,
                      some ->
                          core.master()
                              .call(Calls.EXISTS, new NamedObjects(tenant, KeyBatch.of(some)))
                              .map(answers -> Answers.all(answers, some.size())));
            });
  }

  @Override
  public Future<Long> size(String key) {
    return describe(key).map(ObjectInfo::size);
  }

  @Override
  public Future<ObjectInfo> describe(String key) {
    return named(key, Calls.DESCRIBE);
  }

  private <T> Future<T> named(
      String key, io.moonpool.protocol.call.Call<NamedObjects, List<Outcome<T>>> call) {
    return core.loop()
        .call(
            () -> {
              StoreException wrong = Arguments.checkKey(key);
              return wrong != null
                  ? Future.failedFuture(wrong)
                  : core.master()
                      .call(call, new NamedObjects(tenant, KeyBatch.of(key)))
                      .map(answers -> Answers.only(answers).get());
            });
  }

  @Override
  public ObjectListing list(String pattern, int pageSize) {
    return new PagedListing(core, tenant, pattern, pageSize);
  }

  @Override
  public Future<List<ClientInfo>> nodes() {
    return core.loop().call(() -> core.master().call(Calls.CLIENTS, new ListClients()));
  }

  @Override
  public Future<List<SegmentInfo>> segments() {
    return core.loop()
        .call(() -> core.master().call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[0])));
  }

  @Override
  public String transportTo(SegmentInfo segment) {
    return core.transports().choice(PeerSegment.of(segment));
  }

  // Removals

  @Override
  public Future<Void> remove(String key, boolean force) {
    return removeBatch(List.of(key), force)
        .compose(
            outcomes -> {
              ErrorCode code = outcomes.getFirst().code();
              return code == ErrorCode.OK
                  ? Future.succeededFuture()
                  : Future.failedFuture(new StoreException(code));
            });
  }

  @Override
  public Future<List<Outcome<Void>>> removeBatch(List<String> keys, boolean force) {
    List<String> fixed = List.copyOf(keys);
    return core.loop()
        .call(
            () -> {
              StoreException wrong = Arguments.checkKeys(fixed);
              if (wrong != null) {
                return Future.failedFuture(wrong);
              }
              fixed.forEach(key -> core.locations().forget(tenant, key));
              return SplitCalls.make(
                      core.loop(),
                      fixed,
                      some ->
                          core.master()
                              .call(
                                  Calls.REMOVE, new RemoveObjects(tenant, KeyBatch.of(some), force))
                              .map(answers -> Answers.all(answers, some.size())))
                  .onComplete(done -> fixed.forEach(key -> core.locations().forget(tenant, key)));
            });
  }

  @Override
  public Future<Long> removeMatching(String pattern, boolean force) {
    return core.loop()
        .call(
            () -> {
              core.locations().clear();
              return core.master()
                  .call(Calls.REMOVE_MATCHING, new RemoveMatching(tenant, pattern, force))
                  .onComplete(done -> core.locations().clear());
            });
  }

  @Override
  public Future<Void> close() {
    return core.loop().call(closing);
  }
}
