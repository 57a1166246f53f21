package io.moonpool.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.SoftPinAction;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes with disks that come and go, offloads that end late or never, and a master that forgets all
 * but its journal, in random order. What was removed or overwritten is never served again; and once
 * every disk is scanned, everything else that disks hold can be read.
 */
class DisksModelTest {
  private static final int NODES = 3;
  private static final int KEYS = 6;
  private static final int STEPS = 400;
  private static final long SIZE = 100;
  private static final PromotionPolicy PROMOTION = new PromotionPolicy(true, 1, 4, 20_000);
  private static final long HOLD = 3000;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsDeadStaysDeadAndTheRestIsFound(boolean onEvict) {
    for (long seed = 1; seed <= 150; seed++) {
      Run run = new Run(seed, onEvict);
      try {
        for (run.step = 0; run.step < STEPS; run.step++) {
          run.step();
        }
        run.settleAll();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "seed " + seed + ", step " + run.step + ", " + run.last + ": " + e.getMessage(), e);
      }
    }
  }

  /** A record of a key. */
  private record Version(String key, long version) {}

  private record Floor(long hash, long version) {}

  /** The keys whose bits are set, as a pattern that is compared with others. */
  private record Keys(int bits) implements KeyPredicate {
    @Override
    public boolean test(int tenant, byte[] bytes, int offset, int length) {
      return has(new String(bytes, offset, length, StandardCharsets.UTF_8));
    }

    boolean has(String key) {
      return (bits >> Integer.parseInt(key.substring(1)) & 1) != 0;
    }

    @Override
    public boolean covers(KeyPredicate other) {
      return other instanceof Keys keys && (keys.bits & ~bits) == 0;
    }
  }

  /** What the master's journal keeps of a disk. */
  private static final class JournaledDisk {
    boolean scanned;
    boolean voided;
    long deadBelow;
    final List<Floor> shared = new ArrayList<>();
    final List<Floor> own = new ArrayList<>();
    final List<Floor> earlier = new ArrayList<>();
    final List<PatternFloor> patterns = new ArrayList<>();

    /** All that was for what it holds is not needed any more. */
    void forget() {
      shared.clear();
      earlier.clear();
      patterns.clear();
    }

    void leave() {
      scanned = false;
      earlier.addAll(own);
      own.clear();
    }
  }

  /** A node's process, and its disk that outlives it. */
  private static final class Node {
    final int number;

    /** Records that have no tombstone. */
    final Set<Version> records = new HashSet<>();

    final List<Version> tasks = new ArrayList<>();
    final List<Version> stored = new ArrayList<>();
    final Queue<Version> told = new ArrayDeque<>();
    Queue<Version> scan = new ArrayDeque<>();
    boolean mounted;
    boolean scanned;

    Node(int number) {
      this.number = number;
    }

    int memorySlot() {
      return number * 2;
    }

    int diskSlot() {
      return number * 2 + 1;
    }

    int disk() {
      return number + 1;
    }
  }

  /** Something that a node writes from its disk to memory. */
  private record Promoted(int slot, long mount, Version version, long replica) {}

  private static final class Run implements IndexEffects {
    final SplittableRandom random;
    final boolean onEvict;
    final List<Node> nodes = new ArrayList<>();
    final Map<Integer, JournaledDisk> journal = new TreeMap<>();
    final Map<String, TreeSet<Long>> dead = new HashMap<>();
    final Map<String, TreeSet<Long>> ended = new HashMap<>();

    /** What a removal that was not told to have succeeded may have removed. */
    final Map<String, Set<Long>> unsure = new HashMap<>();

    /** What had been written of each key when the removal began that is going on. */
    final Map<String, TreeSet<Long>> before = new HashMap<>();

    /** The keys that had no object when it began. */
    final Set<String> unseen = new HashSet<>();

    final List<Version> writes = new ArrayList<>();
    final List<Promoted> promoted = new ArrayList<>();
    final StartedWrite started = new StartedWrite();
    SegmentTable segments = new SegmentTable();
    ObjectIndex index;
    MatchingRemoval removal;
    Keys removed;
    boolean forced;
    long generation = 1L << 32;
    long now = 1_000_000;
    long firstSequence = 1;
    int lastNode;
    int step;
    String last = "";

    Run(long seed, boolean onEvict) {
      random = new SplittableRandom(seed);
      this.onEvict = onEvict;
      for (int i = 0; i < NODES; i++) {
        nodes.add(new Node(i));
      }
      for (int i = 0; i < KEYS; i++) {
        dead.put("k" + i, new TreeSet<>());
        ended.put("k" + i, new TreeSet<>());
        unsure.put("k" + i, new HashSet<>());
      }
      index = newIndex();
      nodes.forEach(this::mountMemory);
    }

    private ObjectIndex newIndex() {
      boolean force = random.nextBoolean();
      OffloadPolicy offload =
          new OffloadPolicy(true, onEvict, force, 1 + random.nextInt(8), 0.5, HOLD);
      return new ObjectIndex(
          0,
          ObjectIndex.SHARDS,
          new IndexConfig(TestPool.LEASE, TestPool.SKEW, firstSequence, offload, PROMOTION),
          segments,
          this);
    }

    // Effects

    @Override
    public void free(int slot, long mount, long offsetUnits, long length, int node) {
      // Space is the matter of another test.
    }

    @Override
    public void floor(int disk, long keyHash, long version) {
      Floor floor = new Floor(keyHash, version);
      if (disk != 0) {
        journal.get(disk).own.add(floor);
        return;
      }
      for (JournaledDisk each : journal.values()) {
        if (!each.scanned && !each.voided) {
          each.shared.add(floor);
        }
      }
    }

    @Override
    public void offload(int slot, long mount) {
      assertThat(segments.isLive(slot, mount)).isTrue();
    }

    @Override
    public void send(ShardMail mail) {
      throw new AssertionError("one loop has all shards: " + mail);
    }

    // Segments

    private void mountMemory(Node node) {
      segments.apply(
          new SegmentChange.Mounted(
              node.memorySlot(),
              ++generation,
              SegmentKind.MEMORY,
              SegmentStatus.OK,
              true,
              node.number,
              0));
    }

    private void unmount(int slot) {
      long mount = segments.generation(slot);
      segments.apply(new SegmentChange.StatusChanged(slot, mount, SegmentStatus.UNMOUNTING));
      if (random.nextBoolean()) {
        checkServed();
      }
      assertThat(index.sweep(slot, mount, now, () -> true)).isTrue();
      segments.apply(new SegmentChange.Unmounted(slot, mount));
    }

    private void mountDisk(Node node) {
      // The journal first. The node gives up what it was doing, and scans what it has.
      journal.computeIfAbsent(node.disk(), disk -> new JournaledDisk()).voided = false;
      node.tasks.clear();
      node.stored.clear();
      node.told.clear();
      node.scan = new ArrayDeque<>(node.records);
      node.mounted = true;
      node.scanned = false;
      segments.apply(
          new SegmentChange.Mounted(
              node.diskSlot(),
              ++generation,
              SegmentKind.LOCAL_DISK,
              SegmentStatus.OK,
              true,
              node.number,
              node.disk()));
    }

    private void unmountDisk(Node node) {
      journal.get(node.disk()).leave();
      unmount(node.diskSlot());
      node.mounted = false;
    }

    private void restartMaster() {
      if (removal != null) {
        giveUpRemoval();
      }
      firstSequence = index.nextSequence() + 1;
      segments = new SegmentTable();
      index = newIndex();
      writes.clear();
      journal.values().forEach(JournaledDisk::leave);
      for (Map.Entry<Integer, JournaledDisk> each : journal.entrySet()) {
        index.addDisk(each.getKey(), each.getValue().deadBelow, each.getValue().voided);
      }
      for (Map.Entry<Integer, JournaledDisk> each : journal.entrySet()) {
        JournaledDisk disk = each.getValue();
        disk.earlier.forEach(f -> index.restoreFloor(each.getKey(), f.hash, f.version));
        disk.shared.forEach(f -> index.restoreFloor(0, f.hash, f.version));
      }
      Map<PatternFloor, IntList> patterns = new LinkedHashMap<>();
      journal.forEach(
          (number, disk) ->
              disk.patterns.forEach(
                  floor ->
                      patterns.computeIfAbsent(floor, each -> new IntArrayList()).add(number)));
      patterns.forEach(index::restorePattern);
      for (Node node : nodes) {
        node.mounted = false;
        mountMemory(node);
      }
    }

    // Steps

    private <T> T pick(List<T> from) {
      return from.get(random.nextInt(from.size()));
    }

    private Node node() {
      return pick(nodes);
    }

    private String key() {
      return "k" + random.nextInt(KEYS);
    }

    void step() {
      act();
      checkServed();
      if (step % 20 == 0) {
        IndexAudit.check(index, NODES * 2);
      }
    }

    private void act() {
      int choice = random.nextInt(116);
      if (choice >= 110 || (removal != null && random.nextInt(4) == 0)) {
        removeMatching();
      } else if (choice >= 107) {
        settlePromotion();
      } else if (choice >= 103) {
        promote(node());
      } else if (choice >= 100) {
        read();
      } else if (choice < 14) {
        start();
      } else if (choice < 30) {
        end();
      } else if (choice < 33) {
        revoke();
      } else if (choice < 40) {
        remove();
      } else if (choice < 46) {
        evict();
      } else if (choice < 54) {
        take(node());
      } else if (choice < 64) {
        store(node());
      } else if (choice < 72) {
        settle(node());
      } else if (choice < 78) {
        drops(node());
      } else if (choice < 88) {
        disk(node());
      } else if (choice < 93) {
        advance();
      } else if (choice < 95) {
        memoryGone();
      } else if (choice < 97) {
        diskEvicts(node());
      } else if (choice < 98) {
        voidDisk(node());
      } else if (choice < 99) {
        restartMaster();
        last = "restart";
      } else {
        serving();
      }
    }

    private void start() {
      String key = key();
      int slot = node().memorySlot();
      ExtentList extents = new ExtentList();
      lastNode++;
      extents.add(slot, segments.generation(slot), lastNode, SIZE, lastNode);
      WriteTerms terms =
          new WriteTerms(
              TestPool.WRITER, 5000, SoftPinAction.PRESERVE, 0, false, ObjectDataType.UNKNOWN);
      last = "start " + key;
      ErrorCode code =
          random.nextBoolean()
              ? index.putStart(TestPool.key(key), SIZE, terms, null, extents, now, started)
              : index.upsertStart(TestPool.key(key), SIZE, terms, null, extents, now, started);
      if (code == ErrorCode.OK) {
        writes.add(new Version(key, started.version()));
      }
    }

    private void end() {
      if (writes.isEmpty()) {
        return;
      }
      Version write = writes.remove(random.nextInt(writes.size()));
      last = "end " + write;
      ErrorCode code =
          index.end(
              TestPool.key(write.key),
              TestPool.WRITER,
              write.version,
              Checksum.crc32c((int) write.version),
              now);
      if (code == ErrorCode.OK) {
        // Everything that was written before is overwritten.
        dead.get(write.key).addAll(ended.get(write.key).headSet(write.version));
        ended.get(write.key).add(write.version);
      }
    }

    private void revoke() {
      if (!writes.isEmpty()) {
        Version write = writes.remove(random.nextInt(writes.size()));
        last = "revoke " + write;
        index.revoke(TestPool.key(write.key), TestPool.WRITER, write.version, now);
      }
    }

    private void remove() {
      String key = key();
      last = "remove " + key;
      ErrorCode code = index.remove(TestPool.key(key), true, now);
      if (code == ErrorCode.OK || code == ErrorCode.OBJECT_NOT_FOUND) {
        dead.get(key).addAll(ended.get(key));
      }
    }

    // Removals by pattern

    private void removeMatching() {
      if (removal == null) {
        removed = new Keys(1 + random.nextInt((1 << KEYS) - 1));
        forced = random.nextBoolean();
        last = "remove " + removed + " forced: " + forced;
        ended.forEach((key, versions) -> before.put(key, new TreeSet<>(versions)));
        unseen.clear();
        ended.keySet().stream().filter(key -> served(key) == 0).forEach(unseen::add);
        removal = index.removeMatching(removed, forced, now);
        if (random.nextBoolean()) {
          assertThat(removal.step(now, () -> true)).isTrue();
          ended.keySet().forEach(this::checkNothingWasPassedOver);
          endRemoval();
        }
      } else if (random.nextInt(12) == 0) {
        last = "give up " + removed;
        removal.abandon();
        giveUpRemoval();
      } else {
        last = "go on with " + removed;
        int[] left = {1 + random.nextInt(8)};
        if (removal.step(now, () -> left[0]-- > 0)) {
          endRemoval();
        }
      }
    }

    /** What is there after a removal may not be removed. */
    private void checkNothingWasPassedOver(String key) {
      if (removed.has(key) && served(key) != 0) {
        assertThat(index.remove(TestPool.key(key), forced, now))
            .as("%s was passed over", key)
            .isNotIn(ErrorCode.OK, ErrorCode.OBJECT_NOT_FOUND);
      }
    }

    private void endRemoval() {
      PatternFloor floor = removal.end(now).orElse(null);
      assertThat(removal.isRefused()).isFalse();
      List<JournaledDisk> needing =
          journal.values().stream().filter(disk -> !disk.scanned && !disk.voided).toList();
      assertThat(floor != null)
          .as("there are disks that it could not see")
          .isEqualTo(!needing.isEmpty());
      needing.forEach(disk -> disk.patterns.add(floor));
      for (String key : ended.keySet()) {
        if (removed.has(key)) {
          // What was there before is gone, but for what was passed over; later writes may be.
          long current = served(key);
          if (unseen.contains(key)) {
            assertThat(before.get(key)).as("%s slipped in", key).doesNotContain(current);
          }
          before.get(key).stream().filter(v -> v != current).forEach(dead.get(key)::add);
          ended.get(key).stream().filter(v -> v != current).forEach(unsure.get(key)::add);
        }
      }
      removal = null;
    }

    private void giveUpRemoval() {
      for (String key : ended.keySet()) {
        if (removed.has(key)) {
          long current = served(key);
          ended.get(key).stream().filter(v -> v != current).forEach(unsure.get(key)::add);
        }
      }
      removal = null;
    }

    /** The version of a key that can be found; 0 when there is none. */
    private long served(String key) {
      TestPool.Location location = new TestPool.Location();
      index.describe(
          TestPool.key(key),
          now,
          view -> {
            if (view.complete() && !view.replicas().isEmpty()) {
              location.version = view.version();
            }
            return true;
          });
      return location.version;
    }

    private void evict() {
      last = "evict";
      index.beginEviction();
      index.evict(EvictionTier.UNPINNED, 1 + random.nextInt(4), Long.MAX_VALUE, now, () -> true);
    }

    private void advance() {
      now += random.nextInt(4) == 0 ? HOLD : random.nextInt(12_000);
      last = "now " + now;
      assertThat(index.tendDisks(now, () -> true)).isTrue();
      index.reapWrites(now, () -> true);
      index.releaseQuarantine(now, () -> true);
      assertThat(index.nextDeadlineMillis()).isGreaterThan(now);
    }

    private void memoryGone() {
      Node node = node();
      last = "memory of " + node.number + " goes";
      unmount(node.memorySlot());
      mountMemory(node);
    }

    private void serving() {
      Node node = node();
      last = "serving of " + node.number;
      int slot = random.nextBoolean() || !node.mounted ? node.memorySlot() : node.diskSlot();
      long mount = segments.generation(slot);
      boolean serving = !segments.isServed(slot, mount);
      segments.apply(new SegmentChange.ServingChanged(slot, mount, serving));
    }

    // Promotions

    private void read() {
      String key = key();
      last = "read " + key;
      index.promotions().room(random.nextInt(8) > 0);
      TestPool.Location location = new TestPool.Location();
      if (index.locate(TestPool.key(key), now, location) == ErrorCode.OK) {
        assertThat(dead.get(key)).doesNotContain(location.version);
      }
      index.promotions().retry(3, now);
    }

    private void promote(Node node) {
      ObjectView next =
          node.mounted ? index.promotions().next(node.diskSlot(), mount(node), now) : null;
      if (next == null) {
        return;
      }
      Version version = new Version(next.key(), next.version());
      last = "promote " + version;
      assertThat(dead.get(version.key)).doesNotContain(version.version);
      int slot = node().memorySlot();
      ExtentList extents = new ExtentList();
      lastNode++;
      extents.add(slot, segments.generation(slot), lastNode, SIZE, lastNode);
      long grantEnd = now + 1 + random.nextInt(8_000);
      assertThat(
              index
                  .promotions()
                  .start(node.diskSlot(), mount(node), extents, grantEnd, now, started))
          .isEqualTo(ErrorCode.OK);
      promoted.add(new Promoted(node.diskSlot(), mount(node), version, started.replicaId(0)));
    }

    /** In time or late: what is dead stays dead. */
    private void settlePromotion() {
      if (promoted.isEmpty()) {
        return;
      }
      Promoted task = promoted.remove(random.nextInt(promoted.size()));
      if (!segments.isLive(task.slot, task.mount)) {
        return; // a node of an earlier mount is refused
      }
      boolean written = random.nextInt(5) > 0;
      last = "settle " + task + " " + written;
      ErrorCode code =
          index
              .promotions()
              .settle(
                  TestPool.key(task.version.key),
                  task.version.version,
                  task.replica,
                  task.slot,
                  task.mount,
                  written,
                  now);
      if (written && dead.get(task.version.key).contains(task.version.version)) {
        assertThat(code).isEqualTo(ErrorCode.INVALID_VERSION);
      } else {
        assertThat(code).isIn(ErrorCode.OK, ErrorCode.INVALID_VERSION, ErrorCode.REPLICA_NOT_FOUND);
      }
    }

    // Nodes

    private void disk(Node node) {
      if (!node.mounted) {
        last = "mount disk of " + node.number;
        mountDisk(node);
      } else if (random.nextInt(6) == 0) {
        last = "unmount disk of " + node.number;
        unmountDisk(node);
      } else {
        last = "scan " + node.number;
        scan(node, 1 + random.nextInt(5));
      }
    }

    private long mount(Node node) {
      return segments.generation(node.diskSlot());
    }

    private static StoredObject stored(Version version) {
      return new StoredObject(
          version.version,
          SIZE,
          Checksum.crc32c((int) version.version),
          ObjectDataType.UNKNOWN,
          false,
          0,
          null);
    }

    private void scan(Node node, int atMost) {
      for (int i = 0; i < atMost && !node.scan.isEmpty(); i++) {
        Version record = node.scan.remove();
        ErrorCode code =
            index.reportDisk(
                TestPool.key(record.key), stored(record), node.diskSlot(), mount(node), now);
        switch (code) {
          case OK -> assertThat(dead.get(record.key)).doesNotContain(record.version);
          case INVALID_VERSION -> {
            assertThat(mayBeDead(node, record)).as("%s lives", record).isTrue();
            node.records.remove(record);
          }
          case UNAVAILABLE_IN_CURRENT_STATUS -> node.scan.add(record);
          default -> throw new AssertionError(record + " " + code);
        }
      }
      if (node.scan.isEmpty() && !node.scanned) {
        assertThat(index.completeScan(node.diskSlot(), mount(node), now)).isEqualTo(ErrorCode.OK);
        JournaledDisk disk = journal.get(node.disk());
        disk.scanned = true;
        disk.deadBelow = 0;
        disk.forget();
        node.scanned = true;
      }
    }

    /** Somebody removed or overwrote a record, or its floor is there for another reason. */
    private boolean mayBeDead(Node node, Version record) {
      JournaledDisk disk = journal.get(node.disk());
      long hash = TestPool.key(record.key).hash();
      return dead.get(record.key).contains(record.version)
          || unsure.get(record.key).contains(record.version)
          || (removal != null && removed.has(record.key))
          || Stream.of(disk.own, disk.earlier, disk.shared)
              .flatMap(List::stream)
              .anyMatch(floor -> floor.hash == hash && floor.version > record.version);
    }

    private void take(Node node) {
      if (node.mounted) {
        last = "take " + node.number;
        index.takeOffloads(
            node.diskSlot(),
            mount(node),
            1 + random.nextInt(3),
            now,
            (object, replica, memory, offset, until) -> {
              assertThat(until).isEqualTo(now + HOLD);
              node.tasks.add(new Version(object.key(), object.version()));
            });
      }
    }

    /** A record becomes durable on a disk, also when its master does not live any more. */
    private void store(Node node) {
      if (!node.tasks.isEmpty()) {
        Version task = node.tasks.remove(random.nextInt(node.tasks.size()));
        last = "store " + task;
        node.records.add(task);
        node.stored.add(task);
      }
    }

    private void settle(Node node) {
      if (!node.mounted) {
        return;
      }
      boolean isStored = !node.stored.isEmpty() && random.nextInt(5) > 0;
      List<Version> from = isStored ? node.stored : node.tasks;
      if (from.isEmpty()) {
        return;
      }
      Version task = from.remove(random.nextInt(from.size()));
      last = "settle " + task + " " + isStored;
      ErrorCode code =
          index.settleOffload(
              TestPool.key(task.key), task.version, node.diskSlot(), mount(node), isStored, now);
      if (isStored && code != ErrorCode.OK) {
        assertThat(code).isEqualTo(ErrorCode.INVALID_VERSION);
        if (random.nextBoolean()) {
          node.records.remove(task); // or it is told again, or the node restarts before it does
        }
      }
    }

    private void drops(Node node) {
      if (!node.mounted) {
        return;
      }
      last = "drops of " + node.number;
      index.takeDropped(
          node.diskSlot(),
          mount(node),
          1 + random.nextInt(3),
          now,
          (tenant, key, offset, length, version) ->
              node.told.add(
                  new Version(new String(key, offset, length, StandardCharsets.UTF_8), version)));
      while (!node.told.isEmpty() && random.nextInt(4) > 0) {
        Version record = node.told.remove();
        assertThat(dead.get(record.key).contains(record.version) || isUnknown(record))
            .as("told to delete %s, which lives", record)
            .isTrue();
        node.records.remove(record);
        long hash = TestPool.key(record.key).hash();
        long floor = index.ackDropped(node.diskSlot(), mount(node), hash, record.version, now);
        if (floor != 0) {
          journal.get(node.disk()).own.removeIf(f -> f.hash == hash && f.version <= floor);
        }
      }
    }

    /** The index lost an object with its memory while its offload was under way. */
    private boolean isUnknown(Version record) {
      TestPool.Location location = new TestPool.Location();
      index.describe(
          TestPool.key(record.key),
          now,
          view -> {
            location.version = view.complete() ? view.version() : 0;
            return true;
          });
      return location.version != record.version;
    }

    private void diskEvicts(Node node) {
      if (node.mounted && !node.records.isEmpty()) {
        Version record = pick(List.copyOf(node.records));
        if (node.scan.contains(record) || node.stored.contains(record)) {
          return;
        }
        last = "disk evicts " + record;
        index.dropDisk(TestPool.key(record.key), record.version, node.diskSlot(), mount(node), now);
        node.records.remove(record);
      }
    }

    private void voidDisk(Node node) {
      JournaledDisk disk = journal.get(node.disk());
      if (node.mounted || disk == null) {
        return;
      }
      last = "void " + node.number;
      // Writes that are in progress end with a version below: they are not on that disk either.
      disk.deadBelow = index.nextSequence() * ObjectIndex.SHARDS;
      disk.voided = true;
      disk.forget();
      index.voidDisk(node.disk(), disk.deadBelow, now);
      // What it holds is given up. A late task may still write to it: that is below, too.
      node.records.forEach(r -> dead.get(r.key).add(-r.version));
      node.records.removeIf(r -> true);
      node.tasks.clear();
      node.stored.clear();
    }

    // Judging

    private void checkServed() {
      for (String key : ended.keySet()) {
        assertThat(dead.get(key)).as("%s came back", key).doesNotContain(served(key));
      }
    }

    /** All disks come back and are scanned; then everything that they hold and lives is found. */
    void settleAll() {
      last = "settle all";
      if (removal != null) {
        removal.abandon();
        giveUpRemoval();
      }
      for (Version write : writes) {
        index.revoke(TestPool.key(write.key), TestPool.WRITER, write.version, now);
      }
      for (Node node : nodes) {
        if (!node.mounted) {
          mountDisk(node);
        }
        while (!node.scanned) {
          scan(node, 100);
        }
        for (int i = 0; i < 50; i++) {
          take(node);
          store(node);
          settle(node);
        }
      }
      for (Node node : nodes) {
        long mount = mount(node);
        if (!segments.isServed(node.diskSlot(), mount)) {
          segments.apply(new SegmentChange.ServingChanged(node.diskSlot(), mount, true));
        }
      }
      for (Node node : nodes) {
        for (Version record : node.records) {
          boolean current =
              ended.get(record.key).contains(record.version)
                  && ended.get(record.key).last() == record.version
                  && !dead.get(record.key).contains(record.version)
                  && !unsure.get(record.key).contains(record.version)
                  && !node.stored.contains(record)
                  && !node.told.contains(record);
          if (current && !isTold(node, record)) {
            TestPool.Location location = new TestPool.Location();
            assertThat(index.locate(TestPool.key(record.key), now, location))
                .as("%s is on disk %d", record, node.number)
                .isEqualTo(ErrorCode.OK);
            assertThat(location.version).isEqualTo(record.version);
          }
        }
      }
      checkServed();
      IndexAudit.check(index, NODES * 2);
    }

    /**
     * The node was or will be told to delete it, since it was stored for an object that was lost.
     */
    private boolean isTold(Node node, Version record) {
      long hash = TestPool.key(record.key).hash();
      return journal.get(node.disk()).own.stream()
          .anyMatch(f -> f.hash == hash && f.version > record.version);
    }
  }
}
