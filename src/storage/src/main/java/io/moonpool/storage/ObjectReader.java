package io.moonpool.storage;

import io.moonpool.model.ErrorCode;
import io.moonpool.storage.bucket.Blocks;
import io.moonpool.storage.bucket.Bucket;
import io.moonpool.storage.bucket.BucketFiles;
import io.moonpool.storage.bucket.DescriptorCheck;
import io.moonpool.storage.bucket.Location;
import io.moonpool.storage.bucket.ValueCrc;
import io.moonpool.storage.file.FileException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads values. Any number of threads. */
final class ObjectReader {
  private static final Logger LOG = LoggerFactory.getLogger(BucketStore.class);

  private final StoreState state;

  ObjectReader(StoreState state) {
    this.state = state;
  }

  ReadResult read(long version, long offset, long length, MemorySegment into, boolean verify) {
    Held held = hold(version);
    if (held == null) {
      return ReadResult.error(
          ErrorCode.OBJECT_NOT_FOUND,
          "version " + Long.toUnsignedString(version) + " is not on this disk");
    }
    ReadResult result;
    try {
      result = read(version, held.bucket, held.location, offset, length, into, verify);
    } finally {
      held.bucket.exit();
    }
    if (result.ok()) {
      state.counters.readObjects.increment();
      state.counters.readBytes.add(result.length());
    } else {
      state.counters.readFailures.increment();
    }
    return result;
  }

  /** A bucket that stays while its reader is in it, and where in it the object is. */
  private record Held(Bucket bucket, Location location) {}

  private @Nullable Held hold(long version) {
    while (true) {
      Location location = state.table.get(version);
      if (location == null) {
        return null;
      }
      // Numbers never come again, so a bucket found by one is the bucket of the location.
      Bucket bucket = state.byNumber.get(location.bucket());
      if (bucket != null && bucket.enter()) {
        return new Held(bucket, location);
      }
      // It is being deleted: either the object is somewhere else by now, or it is gone too.
      if (location.equals(state.table.get(version))) {
        return null;
      }
    }
  }

  private ReadResult read(
      long version,
      Bucket bucket,
      Location location,
      long offset,
      long length,
      MemorySegment into,
      boolean verify) {
    if (offset < 0 || length < 0 || offset > location.length() - length) {
      return ReadResult.error(
          ErrorCode.INVALID_PARAMS,
          "bytes " + offset + " + " + length + " are not within " + location.length());
    }
    long from = Blocks.down(location.offset() + offset);
    long start = location.offset() + offset - from;
    long span = Blocks.up(start + length);
    if (into.byteSize() < span) {
      return ReadResult.error(
          ErrorCode.BUFFER_OVERFLOW, "the read takes " + span + " bytes of " + into.byteSize());
    }
    if (!Blocks.aligned(into)) {
      return ReadResult.error(
          ErrorCode.FILE_INVALID_BUFFER, "the buffer is not native memory at a multiple of 4096");
    }
    bucket.touch(state.nextAccess());
    check(bucket);
    String distrust = bucket.distrust();
    if (distrust != null) {
      return damaged(version, bucket, location, ErrorCode.CHECKSUM_MISMATCH, distrust);
    }
    try {
      long got = state.files.read(bucket.id(), into.asSlice(0, span), from);
      if (got < start + length) {
        return damaged(
            version,
            bucket,
            location,
            ErrorCode.FILE_READ_FAIL,
            "the file ends after " + (from + got) + " bytes");
      }
    } catch (FileException e) {
      if (e.isPassing()) {
        return ReadResult.error(e.code(), String.valueOf(e.getMessage()));
      }
      return damaged(version, bucket, location, e.code(), String.valueOf(e.getMessage()));
    }
    boolean whole = verify && length == location.length();
    if (whole && ValueCrc.of(into.asSlice(start, length)).value() != location.crc()) {
      return damaged(
          version,
          bucket,
          location,
          ErrorCode.CHECKSUM_MISMATCH,
          "the bytes are not those that were written");
    }
    return ReadResult.of(start, length, whole);
  }

  private ReadResult damaged(
      long version, Bucket bucket, Location location, ErrorCode code, String what) {
    String detail =
        "value of "
            + location.length()
            + " bytes at "
            + location.offset()
            + " of "
            + state.names.data(bucket.id())
            + ": "
            + what;
    state.damaged(version, bucket, code, detail);
    return ReadResult.error(code, detail);
  }

  /** Before the first value of a bucket is served, its data file is compared with its index. */
  private void check(Bucket bucket) {
    if (bucket.checked()) {
      return;
    }
    DescriptorCheck check =
        DescriptorCheck.of(
            bucket, state.table, (into, position) -> state.files.read(bucket.id(), into, position));
    String contradiction = check.contradiction();
    if (contradiction != null) {
      bucket.setDistrust(contradiction);
    }
    if (!bucket.setChecked()) {
      return; // another reader did the same and counted it
    }
    state.counters.damagedDescriptors.add(check.damaged());
    if (check.damaged() > 0) {
      LOG.warn(
          "{} descriptors of bucket {} of {} are damaged; its values are served as long as they"
              + " match their checksums.",
          check.damaged(),
          BucketFiles.hex(bucket.id()),
          state.directory.path());
    }
  }
}
