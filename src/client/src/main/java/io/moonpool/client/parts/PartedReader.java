package io.moonpool.client.parts;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.ObjectReader;
import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Reads a value that is stored in parts: opens each part when it is first needed. Any thread. */
final class PartedReader implements ObjectReader {
  private final MoonpoolClient client;
  private final ObjectReader manifestObject;
  private final Manifest manifest;
  private final AtomicReferenceArray<Future<ObjectReader>> parts;

  PartedReader(MoonpoolClient client, ObjectReader manifestObject, Manifest manifest) {
    this.client = client;
    this.manifestObject = manifestObject;
    this.manifest = manifest;
    this.parts = new AtomicReferenceArray<>(manifest.parts());
  }

  @Override
  public String key() {
    return manifestObject.key();
  }

  @Override
  public long size() {
    return manifest.size();
  }

  @Override
  public long version() {
    return manifestObject.version();
  }

  /** That of the manifest, which names the checksums of all parts. */
  @Override
  public Checksum checksum() {
    return manifestObject.checksum();
  }

  @Override
  public Future<Void> read(long offset, MemorySegment target) {
    long length = target.byteSize();
    if (offset < 0 || length == 0 || offset > size() - length) {
      return Future.failedFuture(
          new StoreException(
              ErrorCode.INVALID_PARAMS,
              "bytes "
                  + offset
                  + " to "
                  + (offset + length)
                  + " are not inside the value of "
                  + size()
                  + " bytes"));
    }
    List<Future<Void>> reads = new ArrayList<>();
    for (long at = offset; at < offset + length; ) {
      int number = Math.toIntExact(at / manifest.partSize());
      long inPart = at % manifest.partSize();
      long bytes = Math.min(offset + length - at, manifest.partSize(number) - inPart);
      MemorySegment slice = target.asSlice(at - offset, bytes);
      reads.add(part(number).compose(part -> part.read(inPart, slice)));
      at += bytes;
    }
    // All of them, failed or not: the target must not be written once this has completed.
    return reads.size() == 1 ? reads.getFirst() : Future.join(reads).mapEmpty();
  }

  private Future<ObjectReader> part(int number) {
    Future<ObjectReader> known = parts.get(number);
    if (known != null && !known.failed()) {
      return known;
    }
    String partKey = Manifest.partKey(key(), manifest.upload(), number);
    Future<ObjectReader> opened =
        client
            .open(partKey)
            .compose(
                part ->
                    part.size() == manifest.partSize(number)
                            && part.checksum().value() == manifest.checksums().get(number)
                        ? Future.succeededFuture(part)
                        : Future.failedFuture(
                            new StoreException(
                                ErrorCode.CHECKSUM_MISMATCH,
                                "part "
                                    + number
                                    + " of the value is not the one that was written: put the value"
                                    + " anew")));
    parts.set(number, opened);
    return opened;
  }
}
