package io.moonpool.bench.index;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.index.IndexConfig;
import io.moonpool.core.index.IndexEffects;
import io.moonpool.core.index.IndexMemory;
import io.moonpool.core.index.LocationSink;
import io.moonpool.core.index.ObjectIndex;
import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.index.ShardMail;
import io.moonpool.core.index.StartedWrite;
import io.moonpool.core.index.WriteTerms;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.libc.Mapping;
import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.SoftPinAction;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Batches of calls to an index, read ahead as the metadata loops do; the result is the time of a
 * key. Objects have keys of 64 bytes and one replica in memory. {@link #main} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class IndexJmh {
  private static final int BATCH = 128;
  private static final int KEY_BYTES = 64;
  private static final long GENERATION = 1L << 32;
  private static final UUID WRITER = new UUID(1, 1);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final WriteTerms TERMS =
      new WriteTerms(WRITER, 30_000, SoftPinAction.PRESERVE, 0, false, ObjectDataType.UNKNOWN);

  /** How many objects there are. */
  @Param({"1000000", "4000000"})
  public int objects;

  /** Whether the tables ask for huge pages. */
  @Param({"true", "false"})
  public boolean hugePages;

  private final SplittableRandom random = new SplittableRandom(1);
  private final byte[] bytes = new byte[BATCH * KEY_BYTES];
  private final long[] hashes = new long[BATCH];
  private final ObjectKey key = new ObjectKey();
  private final ExtentList extents = new ExtentList();
  private final StartedWrite started = new StartedWrite();
  private final Sink sink = new Sink();
  private ObjectIndex index;
  private long now = 1;
  private long fresh;
  private int lastNode;

  private static final class Sink implements LocationSink {
    long offsets;

    @Override
    public void object(
        long version, long size, ChecksumKind kind, long checksum, int[] blockChecksums) {}

    @Override
    public void replica(long id, ReplicaType type, long generation, long offset) {
      offsets += offset;
    }
  }

  private static final class NoEffects implements IndexEffects {
    @Override
    public void floor(int disk, long keyHash, long version) {}

    @Override
    public void offload(int slot, long generation) {}

    @Override
    public void free(int slot, long generation, long offset, long length, int node) {}

    @Override
    public void send(ShardMail mail) {}
  }

  /** Fills the index. */
  @Setup
  public void fill() {
    SegmentTable segments = new SegmentTable();
    segments.apply(
        new SegmentChange.Mounted(0, GENERATION, SegmentKind.MEMORY, SegmentStatus.OK, true));
    IndexMemory memory =
        hugePages ? bytes -> Mapping.collected(Math.max(bytes, 8L << 20)) : IndexMemory.ofProcess();
    index =
        new ObjectIndex(
            0,
            ObjectIndex.SHARDS,
            new IndexConfig(10_000, 100, 1),
            segments,
            new NoEffects(),
            memory);
    for (fresh = 0; fresh < objects; ) {
      freshBatch();
      put();
    }
  }

  private void name(int place, long number) {
    LONG.set(bytes, place * KEY_BYTES, number);
    key.set(bytes, place * KEY_BYTES, KEY_BYTES, 0);
    hashes[place] = key.hash();
  }

  private void at(int place) {
    key.set(bytes, place * KEY_BYTES, KEY_BYTES, 0, hashes[place]);
  }

  private void freshBatch() {
    now++;
    for (int i = 0; i < BATCH; i++) {
      name(i, fresh++);
    }
    index.preload(hashes, 0, BATCH);
  }

  private void randomBatch() {
    now++;
    for (int i = 0; i < BATCH; i++) {
      name(i, random.nextLong(objects));
    }
    index.preload(hashes, 0, BATCH);
  }

  private void put() {
    for (int i = 0; i < BATCH; i++) {
      at(i);
      extents.clear();
      lastNode = (lastNode + 1) & 0xfff_ffff;
      extents.add(0, GENERATION, lastNode * 64L, 4096, lastNode);
      check(index.putStart(key, 4096, TERMS, null, extents, now, started));
      check(index.end(key, WRITER, started.version(), Checksum.crc32c(i), now));
    }
  }

  private static void check(ErrorCode code) {
    if (code != ErrorCode.OK) {
      throw new IllegalStateException(code.name());
    }
  }

  /** Locates and leases. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long locate() {
    randomBatch();
    for (int i = 0; i < BATCH; i++) {
      at(i);
      check(index.locate(key, now, sink));
    }
    return sink.offsets;
  }

  /** Tells whether an object is there, and leases it. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int exists() {
    randomBatch();
    int there = 0;
    for (int i = 0; i < BATCH; i++) {
      at(i);
      there += index.exists(key, now) ? 1 : 0;
    }
    return there;
  }

  /** Start and end of a put, and the removal of the object, so that the index stays as it is. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void putAndRemove() {
    freshBatch();
    put();
    for (int i = 0; i < BATCH; i++) {
      at(i);
      check(index.remove(key, true, now));
    }
    fresh -= BATCH;
  }

  /**
   * Runs it in processes with the flags of all Moonpool processes.
   *
   * @param arguments none
   */
  public static void main(String[] arguments) throws RunnerException {
    String root = System.getProperty("moonpool.root", ".");
    new Runner(
            new OptionsBuilder()
                .include(IndexJmh.class.getSimpleName())
                .jvmArgs("@" + root + "/conf/jvm.options", "-Xmx512m")
                .build())
        .run();
  }
}
