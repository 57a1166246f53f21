package io.moonpool.client;

import io.moonpool.model.ReplicaType;
import java.util.concurrent.atomic.LongAdder;

/**
 * What went wrong and was made good by a client, and where it read from, since it was connected.
 * Any thread may read; what was moved is counted by {@link
 * io.moonpool.transfer.Transports#counters}.
 */
public final class ClientCounters {
  private final LongAdder replicaFallbacks = new LongAdder();
  private final LongAdder checksumMismatches = new LongAdder();
  private final LongAdder repeatedReads = new LongAdder();
  private final LongAdder repeatedWrites = new LongAdder();
  private final LongAdder spaceWaits = new LongAdder();
  private final LongAdder bytesFromMemory = new LongAdder();
  private final LongAdder bytesFromDisk = new LongAdder();

  ClientCounters() {}

  void replicaFallback() {
    replicaFallbacks.increment();
  }

  void checksumMismatch() {
    checksumMismatches.increment();
  }

  void repeatedRead() {
    repeatedReads.increment();
  }

  void repeatedWrites(int objects) {
    repeatedWrites.add(objects);
  }

  void spaceWaits(int objects) {
    spaceWaits.add(objects);
  }

  void read(ReplicaType from, long bytes) {
    (from == ReplicaType.LOCAL_DISK ? bytesFromDisk : bytesFromMemory).add(bytes);
  }

  /** Times that a replica could not be read and the next one was asked. */
  public long replicaFallbacks() {
    return replicaFallbacks.sum();
  }

  /** Times that the bytes of a replica did not match their checksum. */
  public long checksumMismatches() {
    return checksumMismatches.sum();
  }

  /** Reads that were done once more, with a fresh location. */
  public long repeatedReads() {
    return repeatedReads.sum();
  }

  /** Writes of objects that were done once more, since their bytes did not arrive. */
  public long repeatedWrites() {
    return repeatedWrites.sum();
  }

  /** Writes of objects that were started once more, since there was no space for them. */
  public long spaceWaits() {
    return spaceWaits.sum();
  }

  /** Bytes of values that were read from the memory of nodes, and were good. */
  public long bytesFromMemory() {
    return bytesFromMemory.sum();
  }

  /** Bytes of values that were read from the disks of nodes, and were good. */
  public long bytesFromDisk() {
    return bytesFromDisk.sum();
  }
}
