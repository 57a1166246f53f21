package io.moonpool.storage;

import io.moonpool.libc.Errno;
import io.moonpool.model.ErrorCode;
import io.moonpool.storage.bucket.Blocks;
import io.moonpool.storage.bucket.Bucket;
import io.moonpool.storage.bucket.BucketFiles;
import io.moonpool.storage.bucket.DamagedIndexException;
import io.moonpool.storage.bucket.DescriptorCheck;
import io.moonpool.storage.bucket.IndexCursor;
import io.moonpool.storage.bucket.Location;
import io.moonpool.storage.bucket.ValueCrc;
import io.moonpool.storage.file.FileException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
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

  /**
   * Reads.
   *
   * @param report whether the listener hears of damage
   */
  ReadResult read(
      long version, long offset, long length, MemorySegment into, boolean verify, boolean report) {
    Held held = hold(version);
    if (held == null) {
      return ReadResult.error(
          ErrorCode.OBJECT_NOT_FOUND,
          "version " + Long.toUnsignedString(version) + " is not on this disk");
    }
    ReadResult result;
    try {
      result = read(version, held, offset, length, into, verify, report);
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

  /** What the index says of a version; empty when there is none, or it cannot be read. */
  Optional<ObjectRecord> record(long version) {
    Held held = hold(version);
    if (held == null) {
      return Optional.empty();
    }
    try {
      IndexCursor cursor = state.index(held.bucket);
      while (cursor.advance()) {
        if (cursor.version() == version) {
          return Optional.of(cursor.record());
        }
      }
    } catch (DamagedIndexException | FileException e) {
      LOG.warn(
          "The index of bucket {} of {} cannot be read: {}",
          BucketFiles.hex(held.bucket.id()),
          state.directory.path(),
          e.getMessage());
    } finally {
      held.bucket.exit();
    }
    return Optional.empty();
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
      Held held,
      long offset,
      long length,
      MemorySegment into,
      boolean verify,
      boolean report) {
    Bucket bucket = held.bucket;
    Location location = held.location;
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
      return damaged(version, held, ErrorCode.CHECKSUM_MISMATCH, distrust, report);
    }
    MemorySegment target = into.asSlice(0, span);
    long got;
    try {
      got = readOrRetry(bucket, target, from);
    } catch (FileException e) {
      return isProof(e, bucket, target, from)
          ? damaged(version, held, e.code(), String.valueOf(e.getMessage()), report)
          : ReadResult.error(e.code(), String.valueOf(e.getMessage()));
    }
    if (got < start + length) {
      return damaged(
          version,
          held,
          ErrorCode.FILE_READ_FAIL,
          "the file ends after " + (from + got) + " bytes",
          report);
    }
    boolean whole = verify && length == location.length();
    if (whole && ValueCrc.of(into.asSlice(start, length)).value() != location.crc()) {
      return damaged(
          version,
          held,
          ErrorCode.CHECKSUM_MISMATCH,
          "the bytes are not those that were written",
          report);
    }
    return ReadResult.of(start, length, whole);
  }

  /** One I/O error is the disk's; what it says twice is looked into. */
  private long readOrRetry(Bucket bucket, MemorySegment into, long from) throws FileException {
    try {
      return state.files.read(bucket.id(), into, from);
    } catch (FileException e) {
      if (e.errno() != Errno.EIO) {
        throw e;
      }
      return state.files.read(bucket.id(), into, from);
    }
  }

  /**
   * Whether a failed read proves that the value is lost. An error that other files would have had
   * as well says nothing about it: the value may be there when the disk is.
   */
  private boolean isProof(FileException e, Bucket bucket, MemorySegment into, long from) {
    return switch (e.errno()) {
      case EIO -> readable(bucket, into, from) && !readableAt(bucket, into, from);
      case ENOENT -> missing(bucket);
      default -> false;
    };
  }

  /** Whether the file can be read where the value is not. */
  private boolean readable(Bucket bucket, MemorySegment into, long from) {
    long elsewhere = from > 0 ? 0 : bucket.dataBytes() - Blocks.BYTES;
    return readableAt(bucket, into.asSlice(0, Blocks.BYTES), elsewhere);
  }

  private boolean readableAt(Bucket bucket, MemorySegment into, long at) {
    try {
      return state.files.read(bucket.id(), into, at) > 0;
    } catch (FileException e) {
      return false;
    }
  }

  /** Whether the directory is there, and the file is not in it. */
  private boolean missing(Bucket bucket) {
    String name = String.valueOf(state.names.data(bucket.id()).getFileName());
    try {
      return state.layer.list(state.names.directory()).stream()
          .noneMatch(entry -> entry.name().equals(name));
    } catch (FileException e) {
      return false;
    }
  }

  private ReadResult damaged(long version, Held held, ErrorCode code, String what, boolean report) {
    Bucket bucket = held.bucket;
    Location location = held.location;
    String detail =
        "value of "
            + location.length()
            + " bytes at "
            + location.offset()
            + " of "
            + state.names.data(bucket.id())
            + ": "
            + what;
    try {
      DiskProbe.requireSame(state.directory);
    } catch (FileException e) {
      // What was read is not ours, or nothing is there: that proves nothing about our value.
      return ReadResult.error(code, detail + "; " + e.getMessage());
    }
    if (report) {
      state.damaged(version, bucket, code, detail);
    }
    return ReadResult.error(code, detail);
  }

  /** Before the first value of a bucket is served, its data file is compared with its index. */
  private void check(Bucket bucket) {
    if (bucket.checked()) {
      return;
    }
    DescriptorCheck check;
    try {
      check =
          DescriptorCheck.of(
              bucket,
              state.table,
              (into, position) -> state.files.read(bucket.id(), into, position));
      if (check.contradiction() != null) {
        DiskProbe.requireSame(state.directory);
      }
    } catch (FileException e) {
      return; // to be told another time; reading the value says what is wrong now
    }
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
