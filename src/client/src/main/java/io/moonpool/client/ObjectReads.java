package io.moonpool.client;

import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads of whole values and ranges, single and in batches. A read that fails because its location
 * was a remembered one, its lease ran out or its object was replaced is done once more with a fresh
 * location. Runs on the client's loop.
 */
final class ObjectReads {
  private static final int KEYS_PER_CALL = 512;

  private final ClientCore core;
  private final String tenant;

  ObjectReads(ClientCore core, String tenant) {
    this.core = core;
    this.tenant = tenant;
  }

  /** What one read does with the object that it was given. */
  @FunctionalInterface
  interface Read<T> extends Function<LeasedObject, Future<T>> {}

  /** Opens an object, also a manifest. */
  Future<LeasedObject> open(String key) {
    return core.locator()
        .locate(tenant, key)
        .map(location -> new LeasedObject(core, tenant, key, location));
  }

  /** Locates an object that is no manifest and reads it. */
  <T> Future<T> one(String key, Read<T> read) {
    Location remembered = core.locator().remembered(tenant, key);
    if (remembered == null) {
      return open(key)
          .compose(object -> value(object, read))
          .recover(failure -> again(key, read, failure));
    }
    return value(new LeasedObject(core, tenant, key, remembered), read)
        .recover(
            failure -> {
              core.locations().forget(tenant, key);
              return isCallersFault(failure) ? Future.failedFuture(failure) : afresh(key, read);
            });
  }

  private <T> Future<T> again(String key, Read<T> read, Throwable failure) {
    return switch (StoreException.codeOf(failure)) {
      case LEASE_EXPIRED, INVALID_VERSION -> afresh(key, read);
      default -> Future.failedFuture(failure);
    };
  }

  private <T> Future<T> afresh(String key, Read<T> read) {
    core.counters().repeatedRead();
    return open(key).compose(object -> value(object, read));
  }

  private static boolean isCallersFault(Throwable failure) {
    return switch (StoreException.codeOf(failure)) {
      case INVALID_PARAMS, BUFFER_OVERFLOW, NOT_SUPPORTED -> true;
      default -> false;
    };
  }

  private <T> Future<T> value(LeasedObject object, Read<T> read) {
    if (object.checksum().kind() == ChecksumKind.MANIFEST) {
      return core.loop()
          .failed(
              ErrorCode.NOT_SUPPORTED,
              "the value is stored in parts: read it with io.moonpool.client.parts");
    }
    return read.apply(object);
  }

  /** Reads the whole value into memory that is large enough; answers its size. */
  Future<Long> into(LeasedObject object, MemorySegment target) {
    if (object.size() > target.byteSize()) {
      return core.loop()
          .failed(
              ErrorCode.BUFFER_OVERFLOW,
              "the value has "
                  + object.size()
                  + " bytes, the target "
                  + target.byteSize()
                  + ": pass at least as many");
    }
    MemorySegment exact =
        object.size() == target.byteSize() ? target : target.asSlice(0, object.size());
    return object.readHere(0, exact).map(object.size());
  }

  /** Reads the whole value into a new array. */
  Future<byte[]> bytes(LeasedObject object) {
    return range(object, 0, object.size());
  }

  /** Reads a range into a new array. */
  Future<byte[]> range(LeasedObject object, long offset, long length) {
    if (length > Integer.MAX_VALUE - 16) {
      return core.loop()
          .failed(
              ErrorCode.BUFFER_OVERFLOW,
              length + " bytes do not fit into an array: read into memory, or in ranges");
    }
    if (offset < 0 || length < 0 || offset > object.size() - length) {
      return core.loop()
          .failed(
              ErrorCode.INVALID_PARAMS,
              "bytes "
                  + offset
                  + " to "
                  + (offset + length)
                  + " are not inside the object of "
                  + object.size()
                  + " bytes");
    }
    byte[] bytes = new byte[(int) length];
    return length == 0
        ? Future.succeededFuture(bytes)
        : object.readHere(offset, MemorySegment.ofArray(bytes)).map(bytes);
  }

  /**
   * Reads a batch.
   *
   * @param read called once or twice per key, with the key's index
   */
  <T> Future<List<Outcome<T>>> batch(List<String> keys, IndexedRead<T> read) {
    return keys.isEmpty() ? Future.succeededFuture(List.of()) : new Batch<>(keys, read).start();
  }

  /** What a batch does with the object of the key at an index. */
  @FunctionalInterface
  interface IndexedRead<T> {
    Future<T> read(int index, LeasedObject object);
  }

  /**
   * A batch under way: keys are located some at a time, the next when all of the earlier ones have
   * been read, so that leases are not spent waiting.
   */
  private final class Batch<T> {
    private final List<String> keys;
    private final IndexedRead<T> read;
    private final @Nullable Outcome<T>[] outcomes;
    private final Promise<List<Outcome<T>>> done = core.loop().promise();
    private @Nullable Throwable failure;
    private boolean anyAnswer;

    @SuppressWarnings({"unchecked", "rawtypes"})
    Batch(List<String> keys, IndexedRead<T> read) {
      this.keys = keys;
      this.read = read;
      this.outcomes = new Outcome[keys.size()];
    }

    Future<List<Outcome<T>>> start() {
      from(0);
      return done.future();
    }

    private void from(int first) {
      if (first == keys.size()) {
        finish();
        return;
      }
      int end = Math.min(keys.size(), first + KEYS_PER_CALL);
      core.locator()
          .locate(tenant, keys.subList(first, end))
          .transform(
              located -> {
                if (located.failed()) {
                  failure = located.cause();
                  Arrays.fill(
                      outcomes, first, end, Outcome.error(StoreException.codeOf(located.cause())));
                  return Future.succeededFuture();
                }
                anyAnswer = true;
                return readAll(first, located.result());
              })
          .onComplete(readAll -> from(end));
    }

    private Future<Void> readAll(int first, List<Outcome<Location>> locations) {
      List<Future<Void>> reads = new ArrayList<>(locations.size());
      for (int i = 0; i < locations.size(); i++) {
        int index = first + i;
        Outcome<Location> located = locations.get(i);
        if (!located.ok()) {
          outcomes[index] = Outcome.error(located.code());
          continue;
        }
        String key = keys.get(index);
        LeasedObject object = new LeasedObject(core, tenant, key, located.get());
        Read<T> readIndex = opened -> read.read(index, opened);
        reads.add(
            value(object, readIndex)
                .recover(failed -> again(key, readIndex, failed))
                .transform(
                    result -> {
                      outcomes[index] =
                          result.succeeded()
                              ? Outcome.of(result.result())
                              : Outcome.error(StoreException.codeOf(result.cause()));
                      return Future.succeededFuture();
                    }));
      }
      return reads.isEmpty() ? Future.succeededFuture() : Future.join(reads).mapEmpty();
    }

    private void finish() {
      Throwable cause = failure;
      if (!anyAnswer && cause != null) {
        done.fail(cause);
        return;
      }
      List<Outcome<T>> all = new ArrayList<>(outcomes.length);
      for (Outcome<T> outcome : outcomes) {
        all.add(outcome == null ? Outcome.error(ErrorCode.INTERNAL_ERROR) : outcome);
      }
      done.complete(all);
    }
  }
}
