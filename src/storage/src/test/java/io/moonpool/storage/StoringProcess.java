package io.moonpool.storage;

import io.moonpool.storage.directory.DiskDirectory;
import io.moonpool.storage.file.PosixFileLayer;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * A process that stores, kills, evicts and collects until it is killed itself, and says on its
 * standard output what was acknowledged: {@code stored}, {@code dead} and versions. Before it does
 * what takes something away it says {@code doubtful}.
 */
public final class StoringProcess {
  private final BucketStore store;
  private final Random random;
  private final PrintStream out;
  private long nextVersion;

  private StoringProcess(BucketStore store, long firstVersion, PrintStream out) {
    this.store = store;
    this.random = new Random(firstVersion);
    this.out = out;
    this.nextVersion = firstVersion;
  }

  /** Arguments: directory, first version. */
  public static void main(String[] arguments) {
    try (DiskDirectory directory =
            DiskDirectory.open(new PosixFileLayer(), Path.of(arguments[0]), "disk_dir");
        BucketStore store = BucketStore.open(directory, Disk.OPTIONS, DamageListener.NONE)) {
      StoringProcess process = new StoringProcess(store, Long.parseLong(arguments[1]), System.out);
      while (true) {
        process.step();
      }
    }
  }

  static long length(long version) {
    return 1 + version * 7919 % 20_000;
  }

  private void step() {
    switch (random.nextInt(6)) {
      case 0 -> kill();
      case 1 -> evict();
      case 2 -> {
        if (!store.collect(0.5, 1 << 20, 1000).result().ok()) {
          throw new IllegalStateException("a collection failed");
        }
      }
      default -> put();
    }
  }

  private void say(String what, List<Long> versions) {
    StringBuilder line = new StringBuilder(what);
    versions.forEach(version -> line.append(' ').append(version));
    out.println(line);
    out.flush();
  }

  private void put() {
    BucketWriter writer = store.newBucket();
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i <= random.nextInt(6); i++) {
        long version = nextVersion++;
        MemorySegment value = Values.of(arena, version, length(version));
        require(
            writer.append(Values.record("key-" + version, version, value.byteSize()), value, 0));
      }
    }
    require(writer.commit());
    say("stored", writer.records().stream().map(ObjectRecord::version).toList());
  }

  private void kill() {
    List<Long> victims =
        store.scan().next(50).stream()
            .map(ObjectRecord::version)
            .filter(version -> random.nextInt(10) == 0)
            .toList();
    say("doubtful", victims);
    require(store.tombstone(victims.stream().mapToLong(Long::longValue).toArray()));
    say("dead", victims);
  }

  private void evict() {
    List<Long> buckets = store.bucketIds();
    if (buckets.size() < 15) {
      return;
    }
    long bucket = buckets.getFirst();
    List<Long> live =
        store.scan().next(50).stream()
            .map(ObjectRecord::version)
            .toList(); // those of the bucket are among them: the oldest come first
    say("doubtful", live);
    require(store.beginEviction(bucket));
    require(store.finishEviction(bucket, 1000));
    say("dead", live.stream().filter(version -> !store.contains(version)).toList());
    say("stored", live.stream().filter(store::contains).toList());
  }

  private static void require(StoreResult result) {
    if (!result.ok()) {
      throw new IllegalStateException(result.toString());
    }
  }
}
