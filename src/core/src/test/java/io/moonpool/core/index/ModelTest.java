package io.moonpool.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.allocation.Extent;
import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.core.segment.SegmentTable;
import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.SoftPinAction;
import io.moonpool.model.TaskType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random calls to the index and to {@link NaiveIndex}: the answers are the same, every extent is
 * owned by one replica, waits, or is free, none is freed early, and everything that the index keeps
 * besides its rows is what these say. With one loop, and with two that send each other mail.
 */
class ModelTest {
  private static final int FIRST_SHARD = 100;
  private static final int SHARDS_PER_LOOP = 2;
  private static final int SLOTS = 5;
  private static final int DISK_SLOT = 4;
  private static final int STEPS = 300;
  private static final PromotionPolicy PROMOTION = new PromotionPolicy(true, 1, 3, 20_000);
  private static final UUID[] CLIENTS = {new UUID(1, 1), new UUID(1, 2), new UUID(7, 1)};
  private static final BooleanSupplier ALWAYS = () -> true;

  private record Name(String key, int tenant) {}

  private record Started(Name name, UUID writer, long version) {}

  private record Transfer(Name name, TaskType type, UUID task, long version) {}

  private record Promoted(Name name, long version, long replica, long generation) {}

  /** How many random sequences are played. */
  private static final int SEEDS = Integer.getInteger("moonpool.model.seeds", 25);

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void behavesLikeTheRules(int loops) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Run run = new Run(seed, loops);
      try {
        for (run.step = 0; run.step < STEPS; run.step++) {
          run.step();
        }
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "seed " + seed + ", step " + run.step + ", " + run.last + ": " + e.getMessage(), e);
      }
    }
  }

  private static final class Run {
    final SplittableRandom random;
    final int loops;
    final SegmentTable segments = new SegmentTable();
    final NaiveIndex naive = new NaiveIndex(segments);
    final List<ObjectIndex> indexes = new ArrayList<>();
    final Queue<ShardMail> mail = new ArrayDeque<>();
    final StartedWrite started = new StartedWrite();
    final List<Name> names = new ArrayList<>();
    final List<List<String>> groups = new ArrayList<>();
    final List<Started> writes = new ArrayList<>();
    final List<Transfer> transfers = new ArrayList<>();
    long lastTask;
    final List<Promoted> promotions = new ArrayList<>();
    boolean room;
    final Map<Integer, Extent> held = new HashMap<>();
    final List<Integer> freed = new ArrayList<>();
    final Set<Integer> dying = new HashSet<>();
    final Map<String, Long> longestLeases = new HashMap<>();
    long lastGeneration = 1L << 32;
    int lastNode;
    int step;
    String last = "";

    /** A listing that goes on while objects change. */
    long cursor;

    boolean listing;
    Set<String> throughout = new TreeSet<>();
    final List<String> listed = new ArrayList<>();

    Run(long seed, int loops) {
      random = new SplittableRandom(seed);
      this.loops = loops;
      naive.now = 1_000_000;
      for (int i = 0; i < loops; i++) {
        int first = FIRST_SHARD + i * SHARDS_PER_LOOP;
        indexes.add(
            new ObjectIndex(
                first,
                first + SHARDS_PER_LOOP,
                TestPool.config(PROMOTION),
                segments,
                new Effects()));
      }
      for (int slot = 0; slot < SLOTS; slot++) {
        mount(slot);
      }
      for (int tenant = 0; tenant < 2; tenant++) {
        groups.add(new ArrayList<>());
        for (int i = 0; names.size() < 8 * (tenant + 1); i++) {
          String name = "key-" + i + "x".repeat(i % 23);
          if (owner(KeyHash.shard(hash(tenant, name))) >= 0) {
            names.add(new Name(name, tenant));
          }
        }
        for (int i = 0; groups.get(tenant).size() < 2; i++) {
          if (owner(GroupId.of(tenant, "group" + i).shard()) >= 0) {
            groups.get(tenant).add("group" + i);
          }
        }
      }
    }

    private final class Effects implements IndexEffects {
      @Override
      public void free(int slot, long generation, long offsetUnits, long length, int node) {
        assertThat(held.get(node))
            .isEqualTo(new Extent(slot, generation, offsetUnits * Extent.UNIT, length, node));
        freed.add(node);
      }

      @Override
      public void floor(int disk, long keyHash, long version) {
        throw new AssertionError("no disk is known to the journal");
      }

      @Override
      public void offload(int slot, long generation) {
        assertThat(slot).isEqualTo(DISK_SLOT);
        assertThat(segments.generation(slot)).isEqualTo(generation);
      }

      @Override
      public void send(ShardMail mailed) {
        mail.add(mailed);
      }
    }

    private static long hash(int tenant, String name) {
      byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
      return KeyHash.of(tenant, bytes, 0, bytes.length);
    }

    private int owner(int shard) {
      int index = Math.floorDiv(shard - FIRST_SHARD, SHARDS_PER_LOOP);
      return index < loops ? index : -1;
    }

    private ObjectIndex index(Name name) {
      return indexes.get(owner(KeyHash.shard(hash(name.tenant, name.key))));
    }

    private static ObjectKey key(Name name) {
      return TestPool.key(name.key, name.tenant);
    }

    private void mount(int slot) {
      segments.apply(
          new SegmentChange.Mounted(
              slot,
              ++lastGeneration,
              slot == DISK_SLOT ? SegmentKind.LOCAL_DISK : SegmentKind.MEMORY,
              SegmentStatus.OK,
              true));
    }

    private <T> T pick(List<T> from) {
      return from.get(random.nextInt(from.size()));
    }

    private UUID client() {
      return CLIENTS[random.nextInt(10) < 8 ? 0 : random.nextInt(CLIENTS.length)];
    }

    private BooleanSupplier budget() {
      int[] left = {random.nextInt(4) == 0 ? random.nextInt(5) : 1000};
      return () -> left[0]-- > 0;
    }

    void step() {
      for (NaiveIndex.Obj object : naive.objects.values()) {
        if (object.replicas.stream().anyMatch(r -> !segments.isAllocatable(r.slot, r.generation))) {
          object.keptBackMillis = naive.now;
        }
      }
      Set<Integer> waitedBefore = Set.copyOf(naive.waiting.keySet());
      act();
      pump();
      checkSpace(waitedBefore);
      for (NaiveIndex.Obj object : naive.objects.values()) {
        if (object.complete && !object.group.isEmpty()) {
          longestLeases.merge(
              NaiveIndex.id(object.group, object.tenant), object.leaseEnd, Math::max);
        }
      }
      if (step % 7 == 0 || step == STEPS - 1) {
        names.forEach(this::checkDescription);
      }
    }

    private void pump() {
      do {
        while (!mail.isEmpty()) {
          ShardMail next = mail.remove();
          indexes.get(owner(next.shard())).accept(next, naive.now);
        }
        for (ObjectIndex index : indexes) {
          assertThat(index.deliverMail(naive.now, ALWAYS)).isTrue();
        }
      } while (!mail.isEmpty());
    }

    private void act() {
      int choice = random.nextInt(106);
      if (choice >= 100) {
        promotion();
      } else if (choice < 16) {
        put();
      } else if (choice < 34) {
        end();
      } else if (choice < 37) {
        revoke();
      } else if (choice < 47) {
        upsert();
      } else if (choice < 60) {
        read();
      } else if (choice < 65) {
        remove();
      } else if (choice < 73) {
        advance();
      } else if (choice < 79) {
        evict();
      } else if (choice < 82) {
        segment();
      } else if (choice < 86) {
        timers();
      } else if (choice < 90) {
        transfer();
      } else if (choice < 95) {
        replica();
      } else if (choice < 96) {
        removeMatching();
      } else {
        list();
      }
    }

    // Writing

    private WriteTerms terms() {
      SoftPinAction action =
          random.nextInt(3) == 0
              ? SoftPinAction.values()[random.nextInt(3)]
              : SoftPinAction.PRESERVE;
      return new WriteTerms(
          client(),
          random.nextInt(4) == 0 ? 2000 : TestPool.GRANT,
          action,
          random.nextInt(4) == 0 ? 0 : random.nextInt(40_000),
          random.nextInt(12) == 0,
          ObjectDataType.KVCACHE);
    }

    private @Nullable String group(int tenant) {
      return switch (random.nextInt(6)) {
        case 0 -> "";
        case 1, 2 -> pick(groups.get(tenant));
        default -> null;
      };
    }

    private ExtentList extents(long size) {
      ExtentList extents = new ExtentList();
      int first = random.nextInt(SLOTS - 1);
      for (int i = 0; i <= random.nextInt(3) / 2; i++) {
        int slot = (first + i) % (SLOTS - 1);
        lastNode++;
        extents.add(slot, segments.generation(slot), lastNode * 50L, size, lastNode);
      }
      return extents;
    }

    private ErrorCode expectedStart(ErrorCode rules, ExtentList extents) {
      for (int i = 0; i < extents.size() && rules == ErrorCode.OK; i++) {
        if (!segments.isLive(extents.slot(i), extents.generation(i))) {
          return ErrorCode.SEGMENT_NOT_FOUND;
        }
      }
      return rules;
    }

    private void put() {
      Name name = pick(names);
      String group = group(name.tenant);
      WriteTerms terms = terms();
      long size = 1 + random.nextInt(5000);
      ExtentList extents = extents(size);
      last = "put " + name + " " + group;
      ErrorCode check = index(name).checkPutStart(key(name), size, naive.now);
      ErrorCode code =
          index(name).putStart(key(name), size, terms, group, extents, naive.now, started);
      ErrorCode rules = naive.checkPut(name.key, name.tenant);
      assertThat(check).isEqualTo(rules);
      assertThat(code).isEqualTo(expectedStart(rules, extents));
      started(name, group, size, terms, extents, code);
    }

    private void upsert() {
      Name name = pick(names);
      String group = random.nextInt(4) == 0 ? group(name.tenant) : null;
      WriteTerms terms = terms();
      long size = 1 + random.nextInt(5000);
      ExtentList extents = extents(size);
      last = "upsert " + name + " " + group;
      ErrorCode check = index(name).checkUpsertStart(key(name), size, group, naive.now);
      ErrorCode code =
          index(name).upsertStart(key(name), size, terms, group, extents, naive.now, started);
      ErrorCode rules = naive.checkUpsert(name.key, name.tenant, group);
      assertThat(check).isEqualTo(rules);
      assertThat(code).isEqualTo(expectedStart(rules, extents));
      started(name, group, size, terms, extents, code);
    }

    private void started(
        Name name,
        @Nullable String group,
        long size,
        WriteTerms terms,
        ExtentList extents,
        ErrorCode code) {
      if (code != ErrorCode.OK) {
        return;
      }
      for (int i = 0; i < extents.size(); i++) {
        held.put(extents.node(i), extents.get(i));
      }
      naive.start(name.key, name.tenant, group, size, terms, extents, started);
      writes.add(new Started(name, terms.writer(), started.version()));
      if (writes.size() > 12) {
        writes.removeFirst();
      }
    }

    private void end() {
      if (writes.isEmpty()) {
        return;
      }
      Started write = random.nextInt(4) == 0 ? pick(writes) : writes.getLast();
      UUID writer = random.nextInt(15) == 0 ? client() : write.writer;
      long version = write.version + (random.nextInt(25) == 0 ? ObjectIndex.SHARDS : 0);
      Checksum checksum =
          random.nextInt(3) == 0
              ? new Checksum(io.moonpool.model.ChecksumKind.CRC32C, step, new int[] {step, 1, 2})
              : Checksum.crc32c(step);
      last = "end " + write;
      assertThat(index(write.name).end(key(write.name), writer, version, checksum, naive.now))
          .isEqualTo(naive.end(write.name.key, write.name.tenant, writer, version, checksum));
    }

    private void revoke() {
      if (writes.isEmpty()) {
        return;
      }
      Started write = random.nextBoolean() ? pick(writes) : writes.getLast();
      UUID writer = random.nextInt(10) == 0 ? client() : write.writer;
      last = "revoke " + write;
      assertThat(index(write.name).revoke(key(write.name), writer, write.version, naive.now))
          .isEqualTo(naive.revoke(write.name.key, write.name.tenant, writer, write.version));
    }

    // Reading

    private void read() {
      Name name = pick(names);
      last = "read " + name;
      if (random.nextInt(3) == 0) {
        assertThat(index(name).exists(key(name), naive.now))
            .isEqualTo(naive.locate(name.key, name.tenant) == ErrorCode.OK);
        return;
      }
      if (random.nextInt(3) == 0) {
        index(name).preload(new long[] {hash(name.tenant, name.key)}, 0, 1);
      }
      TestPool.Location location = new TestPool.Location();
      ErrorCode code = index(name).locate(key(name), naive.now, location);
      assertThat(code).isEqualTo(naive.locate(name.key, name.tenant));
      if (code != ErrorCode.OK) {
        assertThat(location.replicas).isEmpty();
        return;
      }
      NaiveIndex.Obj object = naive.objects.get(NaiveIndex.id(name.key, name.tenant));
      assertThat(location.version).isEqualTo(object.version);
      assertThat(location.size).isEqualTo(object.size);
      assertThat(location.checksum).isEqualTo(object.checksum);
      assertThat(location.replicas)
          .isEqualTo(
              naive.readable(object).stream()
                  .map(r -> new TestPool.Replica(r.id, r.type, r.generation, offset(r)))
                  .toList());
      boolean admitted =
          room
              && object.promotion == null
              && naive.promotable(object) != null
              && index(name).core.promotions.underWay() <= PROMOTION.queueLimit();
      boolean wasUnderWay = object.promotion != null;
      boolean full = underWay(index(name)) == PROMOTION.queueLimit();
      learnPromotions();
      assertThat(object.promotion != null).isEqualTo(wasUnderWay || (admitted && !full));
    }

    private long underWay(ObjectIndex index) {
      return naive.objects.values().stream()
          .filter(o -> o.promotion != null && index(name(o)) == index)
          .count();
    }

    /** Which objects are promoted now: none that may not be. */
    private void learnPromotions() {
      for (NaiveIndex.Obj object : naive.objects.values()) {
        IndexCore core = index(name(object)).core;
        int row = core.shard(key(name(object))).find(key(name(object)));
        boolean promoted = row != 0 && core.promotions.isUnderWay(row);
        if (promoted && object.promotion == null) {
          NaiveIndex.Replica source = naive.promotable(object);
          assertThat(source).isNotNull();
          assertThat(room).isTrue();
          object.promotion = new NaiveIndex.Promotion(source, naive.now + PROMOTION.waitMillis());
        } else if (!promoted && object.promotion != null) {
          assertThat(object.promotion.target).isNull();
          assertThat(naive.promotable(object)).as("given up for nothing").isNull();
          object.promotion = null;
        }
        assertThat(core.promotions.underWay()).isLessThanOrEqualTo(PROMOTION.queueLimit());
      }
    }

    private long offset(NaiveIndex.Replica replica) {
      return replica.type == ReplicaType.MEMORY ? held.get(replica.node).offset() : 0;
    }

    private void checkDescription(Name name) {
      List<ObjectInfo> infos = new ArrayList<>();
      ErrorCode code =
          index(name)
              .describe(key(name), naive.now, view -> infos.add(view.info("t" + view.tenant())));
      NaiveIndex.Obj object = naive.objects.get(NaiveIndex.id(name.key, name.tenant));
      boolean visible = object != null && (object.complete || naive.now <= object.write.grantEnd);
      assertThat(code).isEqualTo(visible ? ErrorCode.OK : ErrorCode.OBJECT_NOT_FOUND);
      if (!visible) {
        return;
      }
      boolean complete = object.complete;
      List<NaiveIndex.Replica> replicas = complete ? object.replicas : object.write.replicas;
      long size = complete ? object.size : object.write.size;
      assertThat(infos)
          .containsExactly(
              new ObjectInfo(
                  "t" + name.tenant,
                  name.key,
                  size,
                  complete ? object.version : object.write.version,
                  object.checksum,
                  complete ? Math.max(0, object.leaseEnd - naive.now) : 0,
                  Math.max(0, object.softPinEnd - naive.now),
                  object.hardPinned || (!complete && object.write.terms.hardPin()),
                  ObjectDataType.KVCACHE,
                  object.group,
                  replicas.stream()
                      .map(
                          r ->
                              new ReplicaDescriptor(
                                  r.id,
                                  r.type,
                                  r.complete ? ReplicaStatus.COMPLETE : ReplicaStatus.PROCESSING,
                                  r.generation,
                                  offset(r),
                                  size))
                      .toList()));
    }

    // Removing

    private void remove() {
      Name name = pick(names);
      boolean force = random.nextBoolean();
      last = "remove " + name + " " + force;
      assertThat(index(name).remove(key(name), force, naive.now))
          .isEqualTo(naive.remove(name.key, name.tenant, force));
      ended(name);
    }

    private void ended(Name name) {
      NaiveIndex.Obj object = naive.objects.get(NaiveIndex.id(name.key, name.tenant));
      if (object == null || !object.complete) {
        throughout.remove(NaiveIndex.id(name.key, name.tenant));
      }
    }

    private void removeMatching() {
      int tenant = random.nextInt(2);
      String part = "x".repeat(random.nextInt(12));
      boolean force = random.nextBoolean();
      last = "remove matching " + part;
      long removed = 0;
      for (ObjectIndex index : indexes) {
        MatchingRemoval removal =
            index.removeMatching(
                (t, bytes, offset, length) ->
                    t == tenant
                        && new String(bytes, offset, length, StandardCharsets.UTF_8).contains(part),
                force,
                naive.now);
        boolean done;
        do {
          done = removal.step(naive.now, atLeastOne());
        } while (!done);
        assertThat(removal.end(naive.now)).isEmpty();
        removed += removal.removed();
      }
      long expected = 0;
      for (Name name : names) {
        NaiveIndex.Obj object = naive.objects.get(NaiveIndex.id(name.key, name.tenant));
        if (name.tenant == tenant
            && name.key.contains(part)
            && object != null
            && object.complete
            && naive.remove(name.key, name.tenant, force) == ErrorCode.OK) {
          expected++;
        }
        ended(name);
      }
      assertThat(removed).isEqualTo(expected);
    }

    private int firstShard(ObjectIndex index) {
      return FIRST_SHARD + indexes.indexOf(index) * SHARDS_PER_LOOP;
    }

    private BooleanSupplier atLeastOne() {
      int[] left = {1 + random.nextInt(5)};
      return () -> left[0]-- > 0;
    }

    private void list() {
      last = "list";
      if (!listing) {
        listing = true;
        listed.clear();
        cursor = ObjectIndex.cursorOfShard(FIRST_SHARD);
        throughout = new TreeSet<>();
        naive.objects.values().stream()
            .filter(o -> o.complete)
            .forEach(o -> throughout.add(NaiveIndex.id(o.name, o.tenant)));
      }
      int room = 1 + random.nextInt(3);
      int[] left = {room};
      ObjectIndex index = indexes.get(owner(ObjectIndex.shardOfCursor(cursor)));
      cursor =
          index.walk(
              cursor,
              naive.now,
              budget(),
              view -> {
                listed.add(NaiveIndex.id(view.key(), view.tenant()));
                return --left[0] > 0;
              });
      if (owner(ObjectIndex.shardOfCursor(cursor)) < 0) {
        listing = false;
        listed.retainAll(throughout);
        assertThat(listed).containsExactlyInAnyOrderElementsOf(throughout);
      }
    }

    // Time

    private void advance() {
      long[] steps = {
        1, 50, 100, 101, TestPool.LEASE / 2, TestPool.LEASE, 2001, TestPool.GRANT + 1
      };
      naive.now += steps[random.nextInt(steps.length)];
      last = "now " + naive.now;
    }

    private void timers() {
      last = "timers";
      for (ObjectIndex index : indexes) {
        index.reapWrites(naive.now, budget());
        index.expireSoftPins(naive.now, budget());
        index.releaseQuarantine(naive.now, budget());
        index.tendDisks(naive.now, budget());
        assertThat(index.tendDisks(naive.now, ALWAYS)).isTrue();
        assertThat(index.reapWrites(naive.now, ALWAYS)).isTrue();
        assertThat(index.expireSoftPins(naive.now, ALWAYS)).isTrue();
        assertThat(index.releaseQuarantine(naive.now, ALWAYS)).isTrue();
        assertThat(index.nextDeadlineMillis()).isGreaterThan(naive.now);
      }
      naive.reap();
      naive.waiting.forEach(
          (node, release) ->
              assertThat(release <= naive.now && !freed.contains(node))
                  .as("node %d waits longer than it must", node)
                  .isFalse());
      long pinned = naive.objects.values().stream().filter(naive::softPinned).count();
      assertThat(indexes.stream().mapToLong(i -> i.stats().softPinned()).sum())
          .as("soft pins")
          .isEqualTo(dying.isEmpty() ? pinned : -1 + 1 + softPinsOfIndexes());
    }

    private long softPinsOfIndexes() {
      return indexes.stream().mapToLong(i -> i.stats().softPinned()).sum();
    }

    // Evicting

    private void evict() {
      if (!dying.isEmpty()) {
        return; // What is dying may be evicted or swept; the rules do not say which.
      }
      EvictionTier tier = EvictionTier.values()[random.nextInt(2)];
      ObjectIndex index = pick(indexes);
      long goal = 1 + random.nextInt(5);
      last = "evict " + goal + " " + tier;
      long before = indexes.stream().mapToLong(i -> i.stats().objectsEvicted()).sum();
      Evicted evicted = index.evict(tier, goal, Long.MAX_VALUE, naive.now, budget());
      pump();
      List<NaiveIndex.Obj> gone = new ArrayList<>();
      for (NaiveIndex.Obj object : List.copyOf(naive.objects.values())) {
        if (object.replicas.stream().filter(naive::evictable).anyMatch(r -> isGone(object, r))) {
          gone.add(object);
        }
      }
      assertThat(indexes.stream().mapToLong(i -> i.stats().objectsEvicted()).sum() - before)
          .isEqualTo(gone.size());
      for (NaiveIndex.Obj object : gone) {
        assertThat(naive.candidate(object, tier) || !object.group.isEmpty()).isTrue();
        assertThat(object.hardPinned).isFalse();
        assertThat(tier == EvictionTier.SOFT_PINNED || !naive.softPinned(object)).isTrue();
        assertThat(object.leaseEnd).isLessThanOrEqualTo(naive.now);
        if (object.group.isEmpty()) {
          assertThat(index(name(object))).isSameAs(index);
        } else {
          for (NaiveIndex.Obj member : naive.members(object)) {
            assertThat(member.leaseEnd).as("a member is leased").isLessThanOrEqualTo(naive.now);
            boolean safe =
                naive.candidate(member, EvictionTier.UNPINNED)
                    || (tier == EvictionTier.SOFT_PINNED
                        && naive.candidate(member, EvictionTier.SOFT_PINNED));
            assertThat(gone.contains(member)).as("members go together").isEqualTo(safe);
          }
        }
      }
      long alone = gone.stream().filter(o -> o.group.isEmpty()).count();
      assertThat(alone).isLessThanOrEqualTo(goal);
      long youngest =
          gone.stream().filter(o -> o.group.isEmpty()).mapToLong(o -> o.leaseEnd).max().orElse(0);
      gone.forEach(naive::evict);
      gone.forEach(o -> ended(name(o)));
      for (NaiveIndex.Obj left : naive.objects.values()) {
        if (!naive.candidate(left, tier) || index(name(left)) != index) {
          continue;
        }
        if (left.group.isEmpty()) {
          assertThat(latestPlace(left)).as("the oldest go first").isGreaterThanOrEqualTo(youngest);
        }
        if (mayBePutOff(left)) {
          continue;
        }
        boolean due =
            left.group.isEmpty()
                ? left.leaseEnd <= naive.now
                : longestLeases.getOrDefault(NaiveIndex.id(left.group, left.tenant), 0L)
                    <= naive.now;
        // With two loops a group decides after the call.
        if (!evicted.more() && (loops == 1 || left.group.isEmpty())) {
          assertThat(due && evicted.objects() < goal).as("goal was within reach").isFalse();
        }
      }
    }

    /**
     * It came up while some of it was on a segment where eviction makes no room, and got a later
     * place, which it keeps when that replica goes; or somebody of its group did.
     */
    private boolean mayBePutOff(NaiveIndex.Obj object) {
      List<NaiveIndex.Obj> together =
          object.group.isEmpty() ? List.of(object) : naive.members(object);
      return together.stream().anyMatch(o -> naive.now - o.keptBackMillis <= TestPool.LEASE);
    }

    /** The end of its lease, or where it was put off to, which it keeps until it comes up again. */
    private static long latestPlace(NaiveIndex.Obj object) {
      return Math.max(object.leaseEnd, object.keptBackMillis + TestPool.LEASE);
    }

    private static Name name(NaiveIndex.Obj object) {
      return new Name(object.name, object.tenant);
    }

    private boolean isGone(NaiveIndex.Obj object, NaiveIndex.Replica replica) {
      boolean[] there = new boolean[1];
      Name name = name(object);
      index(name)
          .describe(
              key(name),
              naive.now,
              view -> {
                there[0] = view.replicas().stream().anyMatch(r -> r.id() == replica.id);
                return true;
              });
      return !there[0];
    }

    // Segments

    private void segment() {
      int slot = random.nextInt(SLOTS);
      long generation = segments.generation(slot);
      last = "segment " + slot;
      if (dying.contains(slot)) {
        for (ObjectIndex index : indexes) {
          if (!index.sweep(slot, generation, naive.now, budget())) {
            return;
          }
        }
        segments.apply(new SegmentChange.Unmounted(slot, generation));
        dying.remove(slot);
        mount(slot);
      } else if (random.nextInt(3) == 0) {
        segments.apply(new SegmentChange.StatusChanged(slot, generation, SegmentStatus.UNMOUNTING));
        dying.add(slot);
        List<NaiveIndex.Obj> growing =
            naive.objects.values().stream()
                .filter(o -> o.promotion != null || o.replicas.stream().anyMatch(r -> !r.complete))
                .toList();
        naive.segmentGone();
        // What they were being given goes with their last replica, as soon as somebody looks.
        // So do promotions from the disk.
        growing.forEach(o -> TestReplicas.remove(index(name(o)), key(name(o)), 77, naive.now));
        names.forEach(this::ended);
        for (Map.Entry<Integer, Extent> extent : held.entrySet()) {
          if (extent.getValue().generation() == generation
              && naive.waiting.remove(extent.getKey()) != null) {
            naive.lost.add(extent.getKey());
          }
        }
      } else {
        boolean serving = !segments.isServed(slot, generation);
        segments.apply(new SegmentChange.ServingChanged(slot, generation, serving));
      }
    }

    // Replicas

    private void transfer() {
      if (transfers.isEmpty() || random.nextBoolean()) {
        startTransfer();
        return;
      }
      Transfer transfer = transfers.remove(random.nextInt(transfers.size()));
      Name name = transfer.name;
      UUID task = random.nextInt(10) == 0 ? new UUID(4, 4) : transfer.task;
      if (random.nextInt(3) == 0) {
        last = "revoke " + transfer;
        assertThat(
                index(name)
                    .transfers()
                    .revoke(key(name), transfer.type, task, transfer.version, naive.now))
            .isEqualTo(naive.transfers.revoke(name.key, name.tenant, task, transfer.version));
      } else {
        TaskType type = random.nextInt(10) == 0 ? TaskType.REPLICA_COPY : transfer.type;
        last = "end " + transfer;
        assertThat(
                index(name)
                    .transfers()
                    .end(key(name), type, task, transfer.version, naive.now)
                    .code())
            .isEqualTo(naive.transfers.end(name.key, name.tenant, type, task, transfer.version));
      }
      ended(name);
    }

    private SegmentMount mountIn(int slot) {
      return new SegmentMount(slot, segments.generation(slot));
    }

    private void startTransfer() {
      Name name = pick(names);
      boolean move = random.nextBoolean();
      int first = random.nextInt(SLOTS);
      int second = (first + 1 + random.nextInt(SLOTS - 1)) % SLOTS;
      TransferWish wish =
          new TransferWish(
              move ? TaskType.REPLICA_MOVE : TaskType.REPLICA_COPY,
              new UUID(3, ++lastTask),
              move || random.nextInt(3) == 0
                  ? Optional.of(mountIn(random.nextInt(SLOTS)))
                  : Optional.empty(),
              move || random.nextBoolean()
                  ? List.of(mountIn(first))
                  : List.of(mountIn(first), mountIn(second)),
              1 + random.nextInt(20_000));
      last = "start " + wish + " of " + name;
      TransferCheck check = index(name).transfers().check(key(name), wish, naive.now);
      List<SegmentMount> missing = new ArrayList<>();
      assertThat(check.code())
          .isEqualTo(naive.transfers.check(name.key, name.tenant, wish, missing));
      ExtentList extents = new ExtentList();
      List<NaiveIndex.Replica> targets = new ArrayList<>();
      for (SegmentMount target : check.missing()) {
        NaiveIndex.Replica replica = new NaiveIndex.Replica();
        replica.slot = target.slot();
        replica.generation = target.generation();
        replica.node = ++lastNode;
        targets.add(replica);
        extents.add(
            target.slot(), target.generation(), replica.node * 50L, check.size(), replica.node);
      }
      List<TransferTarget> begun = new ArrayList<>();
      assertThat(
              index(name)
                  .transfers()
                  .start(
                      key(name),
                      wish,
                      extents,
                      naive.now,
                      (task, object, source, written) -> begun.addAll(written)))
          .isEqualTo(check.code());
      if (check.code() == ErrorCode.OK) {
        assertThat(check.missing()).isEqualTo(missing);
        for (int i = 0; i < extents.size(); i++) {
          held.put(extents.node(i), extents.get(i));
          targets.get(i).id = begun.get(i).replicaId();
        }
        naive.transfers.start(name.key, name.tenant, wish, targets);
        NaiveIndex.Obj object = naive.objects.get(NaiveIndex.id(name.key, name.tenant));
        transfers.add(new Transfer(name, wish.type(), wish.task(), object.version));
      }
    }

    private void replica() {
      Name name = pick(names);
      NaiveIndex.Obj object = naive.objects.get(NaiveIndex.id(name.key, name.tenant));
      if (object == null || object.replicas.isEmpty() || random.nextInt(3) == 0) {
        addReplica(name, object);
        return;
      }
      long replica = random.nextInt(10) == 0 ? 77 : pick(object.replicas).id;
      last = "replica " + replica + " of " + name;
      if (random.nextInt(3) > 0) {
        long version = object.version + random.nextInt(8) / 7;
        assertThat(TestReplicas.commit(index(name), key(name), version, replica, naive.now))
            .isEqualTo(naive.commitReplica(name.key, name.tenant, version, replica));
      } else {
        assertThat(TestReplicas.remove(index(name), key(name), replica, naive.now))
            .isEqualTo(naive.removeReplica(name.key, name.tenant, replica));
        ended(name);
      }
    }

    // Promotions

    private void promotion() {
      int choice = random.nextInt(10);
      if (choice < 2) {
        room = !room || random.nextBoolean();
        last = "room " + room;
        indexes.forEach(index -> index.promotions().room(room));
      } else if (choice < 3) {
        last = "retry promotions";
        indexes.forEach(index -> index.promotions().retry(1 + random.nextInt(3), naive.now));
        learnPromotions();
      } else if (choice < 7) {
        startPromotion(pick(indexes));
      } else if (!promotions.isEmpty()) {
        settlePromotion();
      }
    }

    private void startPromotion(ObjectIndex index) {
      long generation = segments.generation(DISK_SLOT);
      last = "start a promotion";
      ObjectView view = index.promotions().next(DISK_SLOT, generation, naive.now);
      Name name = view == null ? null : new Name(view.key(), view.tenant());
      learnPromotions();
      if (name == null) {
        return;
      }
      last = "promote " + name;
      assertThat(room).isTrue();
      NaiveIndex.Obj object = naive.objects.get(NaiveIndex.id(name.key, name.tenant));
      NaiveIndex.Promotion promotion = object.promotion;
      assertThat(promotion).isNotNull();
      assertThat(promotion.target).isNull();
      if (random.nextInt(6) == 0) {
        index.promotions().refuse(DISK_SLOT, generation, naive.now);
        object.promotion = null;
        return;
      }
      NaiveIndex.Replica replica = new NaiveIndex.Replica();
      replica.slot = random.nextInt(SLOTS - 1);
      replica.generation = segments.generation(replica.slot);
      replica.node = ++lastNode;
      replica.holdUntil = naive.now + 1 + random.nextInt(5000);
      ExtentList extents = new ExtentList();
      extents.add(replica.slot, replica.generation, replica.node * 50L, object.size, replica.node);
      ErrorCode code =
          index
              .promotions()
              .start(DISK_SLOT, generation, extents, replica.holdUntil, naive.now, started);
      assertThat(code)
          .isEqualTo(naive.add(name.key, name.tenant, object.version, replica, started));
      object.promotion = code == ErrorCode.OK ? promotion : null;
      if (code == ErrorCode.OK) {
        held.put(replica.node, extents.get(0));
        promotion.target = replica;
        promotions.add(new Promoted(name, object.version, replica.id, generation));
      }
    }

    private void settlePromotion() {
      Promoted promoted =
          random.nextInt(4) == 0
              ? pick(promotions)
              : promotions.remove(random.nextInt(promotions.size()));
      boolean written = random.nextInt(4) > 0;
      last = "settle " + promoted + " " + written;
      assertThat(
              index(promoted.name)
                  .promotions()
                  .settle(
                      key(promoted.name),
                      promoted.version,
                      promoted.replica,
                      DISK_SLOT,
                      promoted.generation,
                      written,
                      naive.now))
          .isEqualTo(
              naive.settlePromotion(
                  promoted.name.key,
                  promoted.name.tenant,
                  promoted.version,
                  promoted.replica,
                  written));
    }

    private void addReplica(Name name, NaiveIndex.@Nullable Obj object) {
      NaiveIndex.Replica replica = new NaiveIndex.Replica();
      replica.slot = random.nextInt(SLOTS);
      replica.generation = segments.generation(replica.slot);
      last = "add replica to " + name;
      if (replica.slot == DISK_SLOT) {
        addDiskReplica(name, object, replica);
        return;
      }
      replica.node = ++lastNode;
      replica.holdUntil = naive.now + (random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(5000));
      long version = object == null ? 5 : object.version + random.nextInt(8) / 7;
      ExtentList extents = new ExtentList();
      long size = object == null ? 0 : object.size;
      extents.add(replica.slot, replica.generation, replica.node * 50L, size, replica.node);
      ErrorCode code =
          TestReplicas.start(
              index(name), key(name), version, extents, replica.holdUntil, naive.now, started);
      if (code == ErrorCode.OK) {
        held.put(replica.node, extents.get(0));
      }
      assertThat(code).isEqualTo(naive.add(name.key, name.tenant, version, replica, started));
    }

    private void addDiskReplica(
        Name name, NaiveIndex.@Nullable Obj object, NaiveIndex.Replica replica) {
      if (object == null || !segments.isLive(replica.slot, replica.generation)) {
        return;
      }
      IndexCore core = index(name).core;
      int row = core.findComplete(key(name));
      assertThat(row != 0).isEqualTo(object.complete);
      if (row != 0 && core.replicaIn(row, replica.slot) == 0) {
        core.addDiskReplica(row, replica.slot, replica.generation);
        replica.type = ReplicaType.LOCAL_DISK;
        replica.complete = true;
        replica.id = core.replicaId(core.lastReplica(row));
        object.replicas.add(replica);
      }
    }

    // Space

    /** Every extent is owned by one replica, waits, or went with its mount; none is freed early. */
    private void checkSpace(Set<Integer> waitedBefore) {
      for (int node : freed) {
        Long release = naive.waiting.remove(node);
        assertThat(release).as("node %d was given up", node).isNotNull();
        assertThat(release).as("node %d is freed in time", node).isLessThanOrEqualTo(naive.now);
        held.remove(node);
      }
      freed.clear();
      naive.waiting.forEach(
          (node, release) ->
              assertThat(release > naive.now || waitedBefore.contains(node))
                  .as("node %d waits only while it must", node)
                  .isTrue());
      Set<Integer> owned = new HashSet<>();
      for (ObjectIndex index : indexes) {
        for (int node : IndexAudit.check(index, SLOTS)) {
          Extent extent = held.get(node);
          if (segments.isLive(extent.slot(), extent.generation())) {
            assertThat(owned.add(node)).isTrue();
          }
        }
      }
      Set<Integer> expected = new HashSet<>();
      for (NaiveIndex.Obj object : naive.objects.values()) {
        List<NaiveIndex.Replica> replicas = new ArrayList<>(object.replicas);
        if (object.write != null) {
          replicas.addAll(object.write.replicas);
        }
        replicas.stream()
            .filter(r -> r.type == ReplicaType.MEMORY)
            .forEach(r -> expected.add(r.node));
      }
      assertThat(owned).isEqualTo(expected);
      Set<Integer> accounted = new HashSet<>(expected);
      accounted.addAll(naive.waiting.keySet());
      accounted.addAll(naive.lost);
      assertThat(held.keySet()).isEqualTo(accounted);
    }
  }
}
