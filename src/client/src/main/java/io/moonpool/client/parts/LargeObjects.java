package io.moonpool.client.parts;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.ObjectReader;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Function;

/**
 * Values of any size over a client: those above the part size are stored in parts, all others as
 * plain objects; both are read, sized and removed alike. See the package for the format.
 *
 * <p>Any thread may call. Futures complete like those of the client.
 */
public final class LargeObjects {
  private final MoonpoolClient client;
  private final PartOptions options;

  /** Values over that client, which stays the caller's to close. */
  public LargeObjects(MoonpoolClient client, PartOptions options) {
    this.client = client;
    this.options = options;
  }

  /** How values are cut. */
  public PartOptions options() {
    return options;
  }

  // Writes

  /**
   * Puts a value that is no larger than a part as a plain object. One that lost a part to eviction
   * counts as not there, and is replaced.
   *
   * @param value untouched until the future completes
   */
  public Future<Void> put(String key, MemorySegment value, WriteOptions how) {
    return ignoring(
        how,
        writeWhole(
            key,
            replace ->
                replace
                    ? client.upsertFrom(key, value, how)
                    : client.putFrom(key, value, how.withIgnoreExisting(false)),
            false));
  }

  /** Puts or replaces a value that is no larger than a part; see {@link #put}. */
  public Future<Void> upsert(String key, MemorySegment value, WriteOptions how) {
    return writeWhole(key, replace -> client.upsertFrom(key, value, how), true);
  }

  /**
   * Starts to write a value part by part.
   *
   * @param upsert whether a value that is there is replaced; else this fails early with
   *     OBJECT_ALREADY_EXISTS when there is one, and {@link PartedUpload#finish} fails with it when
   *     one appeared meanwhile
   */
  public Future<PartedUpload> upload(String key, WriteOptions how, boolean upsert) {
    Future<Boolean> there = upsert ? Future.succeededFuture(false) : exists(key);
    return there.compose(
        exists ->
            exists
                ? Future.failedFuture(new StoreException(ErrorCode.OBJECT_ALREADY_EXISTS))
                : client
                    .segments()
                    .map(
                        segments ->
                            new PartedUpload(
                                this,
                                client,
                                key,
                                how,
                                upsert,
                                options.partBytes(),
                                new ManifestPlace(segments))));
  }

  static Future<Void> ignoring(WriteOptions how, Future<Void> put) {
    return how.ignoreExisting()
        ? put.recover(
            failure ->
                StoreException.codeOf(failure) == ErrorCode.OBJECT_ALREADY_EXISTS
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure))
        : put;
  }

  /**
   * Writes the object under the value's key. What an upsert replaces loses its parts afterwards; a
   * put replaces a manifest whose parts are gone.
   *
   * @param write given whether to replace
   */
  Future<Void> writeWhole(String key, Function<Boolean, Future<Void>> write, boolean upsert) {
    if (upsert) {
      return manifestOf(key)
          .compose(old -> write.apply(true).compose(written -> removeParts(key, old)));
    }
    return write
        .apply(false)
        .recover(
            failure ->
                StoreException.codeOf(failure) == ErrorCode.OBJECT_ALREADY_EXISTS
                    ? exists(key)
                        .compose(
                            exists ->
                                exists
                                    ? Future.failedFuture(failure)
                                    : writeWhole(key, write, true))
                    : Future.failedFuture(failure));
  }

  // Reads

  /**
   * Opens a value for reading. Fails with OBJECT_NOT_FOUND when there is none, or when one of its
   * parts was evicted.
   */
  public Future<ObjectReader> open(String key) {
    return client
        .open(key)
        .compose(
            object ->
                object.checksum().kind() == ChecksumKind.MANIFEST
                    ? read(object).compose(manifest -> openParts(object, manifest))
                    : Future.succeededFuture(object));
  }

  private Future<ObjectReader> openParts(ObjectReader object, Manifest manifest) {
    return client
        .existsBatch(manifest.partKeys(object.key()))
        .compose(
            outcomes -> {
              for (int i = 0; i < outcomes.size(); i++) {
                if (!Boolean.TRUE.equals(outcomes.get(i).value())) {
                  return Future.failedFuture(
                      new StoreException(
                          ErrorCode.OBJECT_NOT_FOUND,
                          "part " + i + " of the value is gone, so the value is: put it anew"));
                }
              }
              return Future.succeededFuture(new PartedReader(client, object, manifest));
            });
  }

  private static Future<Manifest> read(ObjectReader object) {
    byte[] json = new byte[Math.toIntExact(object.size())];
    return object
        .read(0, MemorySegment.ofArray(json))
        .map(read -> Manifest.decode(Buffer.buffer(json)));
  }

  /** Whether the value can be read now. If so it is under a lease. */
  public Future<Boolean> exists(String key) {
    return open(key)
        .map(opened -> true)
        .recover(
            failure ->
                switch (StoreException.codeOf(failure)) {
                  case OBJECT_NOT_FOUND, REPLICA_IS_NOT_READY -> Future.succeededFuture(false);
                  default -> Future.failedFuture(failure);
                });
  }

  /** The value's size in bytes. */
  public Future<Long> size(String key) {
    return client.describe(key).compose(this::size).map(ValueSize::bytes);
  }

  /**
   * How large a value is of which the object under its key is known. Of one in parts, that object
   * is read, which leases it.
   */
  public Future<ValueSize> size(ObjectInfo info) {
    return isManifest(info)
        ? client
            .open(info.key())
            .compose(
                object ->
                    object.checksum().kind() == ChecksumKind.MANIFEST
                        ? read(object)
                            .map(manifest -> new ValueSize(manifest.size(), manifest.parts()))
                        : Future.succeededFuture(new ValueSize(object.size(), 0)))
        : Future.succeededFuture(new ValueSize(info.size(), 0));
  }

  private static boolean isManifest(ObjectInfo info) {
    return info.checksum().kind() == ChecksumKind.MANIFEST;
  }

  // Removals

  /**
   * Removes the value with all its parts. Fails with OBJECT_NOT_FOUND when there is none.
   *
   * @param force also when it is under a read lease, instead of failing with OBJECT_HAS_LEASE
   */
  public Future<Void> remove(String key, boolean force) {
    return client
        .describe(key)
        .compose(
            info -> {
              if (!isManifest(info)) {
                return client.remove(key, force);
              }
              if (info.leaseRemainingMillis() > 0 && !force) {
                return Future.failedFuture(new StoreException(ErrorCode.OBJECT_HAS_LEASE));
              }
              // Reading the manifest leases it, so its removal has to be forced.
              return manifestOf(key)
                  .compose(
                      manifest ->
                          client.remove(key, true).compose(removed -> removeParts(key, manifest)));
            });
  }

  private Future<Void> removeParts(String key, Optional<Manifest> manifest) {
    return manifest.isEmpty()
        ? Future.succeededFuture()
        : PartedUpload.removeParts(client, manifest.get().partKeys(key));
  }

  /** The manifest of the value that is there; empty for a plain object, none, or a damaged one. */
  private Future<Optional<Manifest>> manifestOf(String key) {
    return client
        .describe(key)
        .compose(
            info ->
                isManifest(info)
                    ? client.open(key).compose(LargeObjects::read).map(Optional::of)
                    : Future.succeededFuture(Optional.<Manifest>empty()))
        .recover(
            failure ->
                switch (StoreException.codeOf(failure)) {
                  case RPC_FAIL, RPC_TIMEOUT -> Future.failedFuture(failure);
                  default -> Future.succeededFuture(Optional.empty());
                });
  }
}
