package io.moonpool.client.parts;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.ObjectReader;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value on its way into the pool, part by part. Nothing of it is visible until {@link #finish}.
 *
 * <p>One caller at a time: all calls on one context, {@link #finish} or {@link #abort} last and
 * once.
 */
public final class PartedUpload {
  private static final Logger LOG = LoggerFactory.getLogger(PartedUpload.class);
  private static final int KEYS_PER_REMOVAL = 1_024;

  private final LargeObjects values;
  private final MoonpoolClient client;
  private final String key;
  private final WriteOptions options;
  private final WriteOptions partOptions;
  private final boolean upsert;
  private final long partBytes;
  private final ManifestPlace place;
  private final String upload = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  private final List<Future<Long>> parts = new ArrayList<>();
  private long size;

  /**
   * An upload without parts yet.
   *
   * @param place where the manifest goes
   */
  PartedUpload(
      LargeObjects values,
      MoonpoolClient client,
      String key,
      WriteOptions options,
      boolean upsert,
      long partBytes,
      ManifestPlace place) {
    this.values = values;
    this.client = client;
    this.key = key;
    this.options = options;
    this.partOptions = WriteOptions.of(grouped(options.replicate(), key, upload));
    this.upsert = upsert;
    this.partBytes = partBytes;
    this.place = place;
  }

  /** The parts are one group, unless the caller has a group of its own. */
  private static ReplicateConfig grouped(ReplicateConfig config, String key, String upload) {
    if (!config.groupIds().isEmpty()) {
      return config;
    }
    return new ReplicateConfig(
        config.replicaNum(),
        config.softPinAction(),
        config.softPinTtlMillis(),
        config.hardPin(),
        config.preferredSegments(),
        config.preferAllocInSameNode(),
        config.dataType(),
        config.hostId(),
        List.of(key + ".part-" + upload));
  }

  /** How many parts have been added. */
  public int parts() {
    return parts.size();
  }

  /** How many bytes have been added. */
  public long size() {
    return size;
  }

  /**
   * Adds the next part. The memory must stay untouched until the future completes; further parts
   * may be added before.
   *
   * @param part as many bytes as the part size; the last part may be shorter
   */
  public Future<Void> add(MemorySegment part) {
    if (part.byteSize() > partBytes || size != parts.size() * partBytes) {
      throw new IllegalArgumentException(
          "all parts but the last must have " + partBytes + " bytes");
    }
    String partKey = Manifest.partKey(key, upload, parts.size());
    size += part.byteSize();
    Future<Long> put =
        client
            .putFrom(partKey, part, partOptions)
            .compose(done -> stored(partKey))
            .map(Checksum::value)
            .recover(
                failure ->
                    Future.failedFuture(
                        StoreException.codeOf(failure) == ErrorCode.OBJECT_NOT_FOUND
                            ? evicted()
                            : failure));
    parts.add(put);
    return put.mapEmpty();
  }

  /**
   * The checksum of a part. In a pool without disks this leases all parts so far, their group, so
   * that this value's own parts are not what gives way to the next one. With disks they may give
   * way, and must where the value is larger than the memory: their copies on disk are read then.
   */
  private Future<Checksum> stored(String partKey) {
    return place.anyDisk()
        ? client.describe(partKey).map(this::placed)
        : client.open(partKey).map(ObjectReader::checksum);
  }

  private Checksum placed(ObjectInfo part) {
    place.part(part);
    return part.checksum();
  }

  /**
   * Makes the value visible when all parts are in place. After a failure nothing is left of it, but
   * when the master did not answer: it may be visible then, and the parts stay.
   *
   * <p>Fails like a put or an upsert, or with the failure of a part.
   */
  public Future<Void> finish() {
    if (parts.isEmpty()) {
      return Future.failedFuture(
          new StoreException(ErrorCode.INVALID_PARAMS, "the value has no bytes"));
    }
    Future<Void> written =
        Future.join(parts)
            .transform(
                all ->
                    all.failed()
                        ? abort().transform(gone -> Future.failedFuture(all.cause()))
                        : checkParts()
                            .compose(
                                there -> writeManifest(),
                                gone -> abort().transform(removed -> Future.failedFuture(gone))));
    return LargeObjects.ignoring(options, written);
  }

  /** A slow upload's first parts may have been evicted while the last ones were on their way. */
  private Future<Void> checkParts() {
    return client
        .existsBatch(partKeys())
        .compose(
            outcomes ->
                outcomes.stream().allMatch(outcome -> Boolean.TRUE.equals(outcome.value()))
                    ? Future.succeededFuture()
                    : Future.failedFuture(evicted()));
  }

  private static StoreException evicted() {
    return new StoreException(
        ErrorCode.NO_AVAILABLE_HANDLE,
        "parts of the value were evicted before it was complete: add memory, or write faster");
  }

  private List<String> partKeys() {
    List<String> keys = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      keys.add(Manifest.partKey(key, upload, i));
    }
    return keys;
  }

  private Future<Void> writeManifest() {
    Manifest manifest =
        new Manifest(size, partBytes, upload, parts.stream().map(Future::result).toList());
    ReplicateConfig replicate = options.replicate();
    WriteOptions how =
        options
            .withReplicate(
                replicate.withPreferredSegments(place.preferred(replicate.preferredSegments())))
            .withIgnoreExisting(false)
            .asManifest();
    return values
        .writeWhole(
            key,
            replace ->
                replace
                    ? client.upsert(key, manifest.encode(), how)
                    : client.put(key, manifest.encode(), how),
            upsert)
        .recover(
            failure ->
                switch (StoreException.codeOf(failure)) {
                  // It may be visible, and the parts be needed.
                  case RPC_FAIL, RPC_TIMEOUT -> Future.failedFuture(failure);
                  default -> abort().transform(gone -> Future.failedFuture(failure));
                });
  }

  /** Gives the value up and removes its parts, once those under way have come to an end. */
  public Future<Void> abort() {
    if (parts.isEmpty()) {
      return Future.succeededFuture();
    }
    return Future.join(parts).transform(ended -> removeParts(client, partKeys()));
  }

  /** Removes parts; what cannot be removed is left to eviction. */
  static Future<Void> removeParts(MoonpoolClient client, List<String> keys) {
    List<Future<?>> removals = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += KEYS_PER_REMOVAL) {
      removals.add(
          client.removeBatch(
              keys.subList(from, Math.min(keys.size(), from + KEYS_PER_REMOVAL)), true));
    }
    return Future.join(removals)
        .onFailure(
            failure ->
                LOG.info(
                    "{} parts of a value that is gone could not be removed; they will be evicted",
                    keys.size(),
                    failure))
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }
}
