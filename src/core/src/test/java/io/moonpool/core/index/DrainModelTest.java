package io.moonpool.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.index.DrainPool.Move;
import io.moonpool.core.index.DrainPool.Node;
import io.moonpool.core.segment.SegmentEvent;
import io.moonpool.core.segment.SegmentMount;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.TaskType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Drains, copies and moves between random writes, reads, removals, evictions, offloads and nodes
 * that are not heard from. After each step the index is audited as a whole, no object has gone that
 * nobody may have removed, and no byte that somebody may still touch was handed out again. At the
 * end nothing is left on what was drained, and everything else can be read.
 */
class DrainModelTest {
  private static final int STEPS = 400;
  private static final int KEYS = 16;
  private static final long SEGMENT = 64 * 1024;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingIsLostAndNothingIsLeftBehind(boolean onEvict) {
    for (long seed = 1; seed <= 80; seed++) {
      Run run = new Run(seed, onEvict);
      try {
        for (run.step = 0; run.step < STEPS; run.step++) {
          run.step();
        }
        run.finish();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "seed " + seed + ", step " + run.step + ", " + run.last + ": " + e.getMessage(), e);
      }
    }
  }

  /** Bytes that somebody may touch. */
  private record Touched(long generation, long offset, long size, long untilMillis) {
    boolean overlaps(long otherGeneration, long otherOffset, long otherSize) {
      return generation == otherGeneration
          && offset < otherOffset + otherSize
          && otherOffset < offset + size;
    }
  }

  private record Write(String key, long version) {}

  private record Task(TaskType type, Move move) {}

  private record Before(long version, boolean safe, boolean onDisk) {}

  private static final class Job {
    final UUID id;
    final Node node;
    final List<Move> active = new ArrayList<>();
    final Map<String, Integer> failures = new HashMap<>();
    boolean failedSome;

    Job(UUID id, Node node) {
      this.id = id;
      this.node = node;
    }
  }

  private static final class Run {
    final DrainPool pool;
    final Map<String, Long> committed = new TreeMap<>();
    final List<Write> writes = new ArrayList<>();
    final List<Task> tasks = new ArrayList<>();
    final List<Job> jobs = new ArrayList<>();
    final List<Touched> touched = new ArrayList<>();
    final Map<Node, List<Write>> offloads = new HashMap<>();
    final Set<String> removed = new HashSet<>();

    /** What a drain has moved off a disk, to memory of a node that has one, and no disk has yet. */
    final Set<String> kept = new HashSet<>();

    boolean evicting;

    /** What somebody has moved off a disk in this step. */
    String movedByHand = "";

    final Map<UUID, Long> started = new HashMap<>();
    long lastTask;
    int step;
    String last = "";

    Run(long seed, boolean onEvict) {
      boolean force = seed % 3 == 0;
      pool =
          new DrainPool(
              new OffloadPolicy(true, onEvict, force, 1 + (int) (seed % 5), 0.5, DrainPool.HOLD),
              seed);
      for (int i = 0; i < 2 + seed % 3; i++) {
        Node node = pool.node(SEGMENT);
        if (seed % 4 == i) {
          pool.memory(node, SEGMENT / 2);
        }
        if (i != 2 || seed % 2 == 0) {
          pool.disk(node);
        }
        offloads.put(node, new ArrayList<>());
      }
    }

    // One step

    void step() {
      Map<String, Before> before = new HashMap<>();
      for (String key : committed.keySet()) {
        before.put(key, new Before(committed.get(key), isSafe(key), isOnDisk(key)));
      }
      removed.clear();
      evicting = false;
      movedByHand = "";
      act();
      pool.passOnSpace();
      check(before);
    }

    /** Eviction must not take it: a disk has it, or it is to be on one again first. */
    private boolean isSafe(String key) {
      IndexCore core = pool.index.core;
      int row = core.shard(TestPool.key(key)).find(TestPool.key(key));
      if (row == 0) {
        return false;
      }
      boolean disk = false;
      boolean diskMayCome = false;
      for (int r = core.replicas.first(row); r != 0; r = core.replicas.nextOfObject(r)) {
        disk |= core.replicas.type(r) == IndexCore.LOCAL_DISK;
        diskMayCome |= core.segments.diskSlotOf(core.replicas.slot(r)) >= 0;
      }
      if (disk) {
        kept.remove(key);
      }
      return disk || (kept.contains(key) && diskMayCome);
    }

    private boolean isOnDisk(String key) {
      return pool.isComplete(key)
          && pool.describe(key).replicas().stream()
              .anyMatch(r -> r.type() == ReplicaType.LOCAL_DISK);
    }

    /** It is in memory that is not drained, of a node that has a disk. */
    private boolean aDiskMayTake(String key) {
      return pool.describe(key).replicas().stream()
          .filter(r -> r.type() == ReplicaType.MEMORY && r.status() == ReplicaStatus.COMPLETE)
          .map(r -> pool.registry.mountOf(r.generation()))
          .anyMatch(
              mount ->
                  pool.table.isAllocatable(mount.slot(), mount.generation())
                      && pool.table.diskSlotOf(mount.slot()) >= 0);
    }

    private void act() {
      int choice = pool.random.nextInt(100);
      if (choice < 14) {
        start();
      } else if (choice < 30) {
        endWrite();
      } else if (choice < 31) {
        revokeWrite();
      } else if (choice < 33) {
        remove();
      } else if (choice < 39) {
        read();
      } else if (choice < 42) {
        evict();
      } else if (choice < 58) {
        offload();
      } else if (choice < 62) {
        startTask();
      } else if (choice < 67) {
        endTask();
      } else if (choice < 70) {
        openJob();
      } else if (choice < 79) {
        take();
      } else if (choice < 92) {
        settle();
      } else if (choice < 95) {
        advance();
      } else if (choice < 98) {
        suspect();
      } else {
        cancel();
      }
    }

    private <T> T pick(List<T> from) {
      return from.get(pool.random.nextInt(from.size()));
    }

    private String key() {
      return "k" + pool.random.nextInt(KEYS);
    }

    // Space

    private void given(long generation, long offset, long size) {
      for (Touched each : touched) {
        assertThat(each.untilMillis > pool.now && each.overlaps(generation, offset, size))
            .as("%s is given away at %d", each, pool.now)
            .isFalse();
      }
    }

    private boolean allocate(long size, int replicas) {
      pool.extents.clear();
      List<SegmentMount> all = new ArrayList<>();
      pool.nodes.forEach(node -> all.addAll(node.memory));
      for (int i = 0; i < replicas && !all.isEmpty(); i++) {
        SegmentMount mount = all.remove(pool.random.nextInt(all.size()));
        pool.registry
            .placement()
            .current()
            .allocateOn(mount.slot(), mount.generation(), size, pool.table, pool.extents);
      }
      for (int i = 0; i < pool.extents.size(); i++) {
        given(pool.extents.generation(i), pool.extents.get(i).offset(), size);
      }
      return pool.extents.size() > 0;
    }

    private void giveBack() {
      pool.registry.placement().current().freeFrom(pool.extents, 0);
    }

    // Objects

    private void start() {
      String key = key();
      long size = 64L * (1 + pool.random.nextInt(100));
      boolean upsert = pool.random.nextBoolean();
      last = "start " + key;
      if (!allocate(size, 1 + pool.random.nextInt(2))) {
        return;
      }
      WriteTerms terms = pool.random.nextInt(8) == 0 ? TestPool.hardPin() : TestPool.terms();
      ObjectKey named = TestPool.key(key);
      ErrorCode code =
          upsert
              ? pool.index.upsertStart(
                  named, size, terms, null, pool.extents, pool.now, pool.started)
              : pool.index.putStart(named, size, terms, null, pool.extents, pool.now, pool.started);
      if (code == ErrorCode.OK) {
        writes.add(new Write(key, pool.started.version()));
      } else {
        giveBack();
      }
    }

    private void endWrite() {
      if (!writes.isEmpty()) {
        Write write = writes.remove(pool.random.nextInt(writes.size()));
        last = "end " + write;
        if (pool.end(write.key, write.version) == ErrorCode.OK) {
          committed.put(write.key, write.version);
          kept.remove(write.key);
          removed.add(write.key);
        }
      }
    }

    private void revokeWrite() {
      if (!writes.isEmpty()) {
        Write write = writes.remove(pool.random.nextInt(writes.size()));
        last = "revoke " + write;
        pool.index.revoke(TestPool.key(write.key), TestPool.WRITER, write.version, pool.now);
      }
    }

    private void remove() {
      String key = key();
      last = "remove " + key;
      ErrorCode code = pool.index.remove(TestPool.key(key), true, pool.now);
      if (code == ErrorCode.OK) {
        committed.remove(key);
        kept.remove(key);
        removed.add(key);
      }
    }

    private void read() {
      String key = key();
      last = "read " + key;
      TestPool.Location location = new TestPool.Location();
      if (pool.index.locate(TestPool.key(key), pool.now, location) == ErrorCode.OK) {
        assertThat(location.version).isEqualTo(committed.get(key));
        for (TestPool.Replica replica : location.replicas) {
          if (replica.type() == ReplicaType.MEMORY) {
            touched.add(
                new Touched(
                    replica.generation(),
                    replica.offset(),
                    location.size,
                    pool.now + TestPool.LEASE));
          }
        }
      }
    }

    private void evict() {
      last = "evict";
      evicting = true;
      pool.index.beginEviction();
      pool.index.evict(EvictionTier.UNPINNED, 1, Long.MAX_VALUE, pool.now, () -> true);
    }

    private void offload() {
      Node node = pick(pool.nodes);
      if (node.disk.slot() < 0) {
        return;
      }
      List<Write> taken = offloads.get(node);
      last = "offload " + pool.nodes.indexOf(node);
      if (taken.isEmpty() || pool.random.nextBoolean()) {
        pool.index.takeOffloads(
            node.disk.slot(),
            node.disk.generation(),
            2,
            pool.now,
            (object, replica, memory, offset, until) ->
                taken.add(new Write(object.key(), object.version())));
        return;
      }
      Write task = taken.remove(pool.random.nextInt(taken.size()));
      evicting = true; // its memory may have waited for that
      settleOffload(node, task);
    }

    private void settleOffload(Node node, Write task) {
      pool.index.settleOffload(
          TestPool.key(task.key),
          task.version,
          node.disk.slot(),
          node.disk.generation(),
          pool.random.nextInt(4) > 0,
          pool.now);
    }

    // Tasks by hand

    private void startTask() {
      String key = key();
      if (!committed.containsKey(key)) {
        return;
      }
      Node to = pick(pool.nodes);
      SegmentMount target = pick(to.memory);
      boolean move = pool.random.nextBoolean();
      List<SegmentMount> sources = pick(pool.nodes).segments();
      TransferWish wish =
          new TransferWish(
              move ? TaskType.REPLICA_MOVE : TaskType.REPLICA_COPY,
              new UUID(77, ++lastTask),
              move ? Optional.of(pick(sources)) : Optional.empty(),
              List.of(target),
              DrainPool.GRANT / 3);
      last = "start task " + wish + " of " + key;
      TransferCheck check = pool.index.transfers().check(TestPool.key(key), wish, pool.now);
      pool.extents.clear();
      for (SegmentMount missing : check.missing()) {
        pool.registry
            .placement()
            .current()
            .allocateOn(
                missing.slot(), missing.generation(), check.size(), pool.table, pool.extents);
      }
      if (check.code() != ErrorCode.OK || pool.extents.size() < check.missing().size()) {
        return;
      }
      assertThat(
              pool.index
                  .transfers()
                  .start(
                      TestPool.key(key),
                      wish,
                      pool.extents,
                      pool.now,
                      (task, object, source, targets) ->
                          tasks.add(
                              new Task(
                                  wish.type(),
                                  new Move(
                                      task,
                                      object.key(),
                                      0,
                                      object.version(),
                                      object.size(),
                                      source,
                                      targets)))))
          .isEqualTo(ErrorCode.OK);
      written(tasks.getLast().move, DrainPool.GRANT / 3);
    }

    /** A node may read the source and write the targets of a transfer from now on. */
    private void written(Move move, long grantMillis) {
      if (move.source().type() == ReplicaType.MEMORY) {
        touched.add(
            new Touched(
                move.source().generation(),
                move.source().offset(),
                move.size(),
                pool.now + grantMillis));
        started.put(move.task(), pool.now + grantMillis);
      }
      for (TransferTarget target : move.targets()) {
        given(target.generation(), target.offset(), move.size());
        touched.add(
            new Touched(target.generation(), target.offset(), move.size(), pool.now + grantMillis));
      }
    }

    /** A transfer is over: what its node may still read of the source is of no use to anybody. */
    private void over(Move move) {
      touched.remove(
          new Touched(
              move.source().generation(),
              move.source().offset(),
              move.size(),
              started.getOrDefault(move.task(), 0L)));
    }

    /** Its node has stopped to write. */
    private void stopped(Move move) {
      for (TransferTarget target : move.targets()) {
        touched.removeIf(each -> each.overlaps(target.generation(), target.offset(), move.size()));
      }
    }

    private void endTask() {
      if (tasks.isEmpty()) {
        return;
      }
      Task task = tasks.remove(pool.random.nextInt(tasks.size()));
      Move move = task.move;
      last = "end task " + task;
      ObjectKey key = TestPool.key(move.key());
      if (pool.random.nextInt(4) == 0) {
        pool.index.transfers().revoke(key, task.type, move.task(), move.version(), pool.now);
        over(move);
        return;
      }
      EndedTransfer ended =
          pool.index.transfers().end(key, task.type, move.task(), move.version(), pool.now);
      over(move);
      if (ended.code() == ErrorCode.OK) {
        assertThat(committed.get(move.key())).isEqualTo(move.version());
        movedByHand = move.key();
        stopped(move);
      }
    }

    // Jobs

    private void openJob() {
      Node node = pick(pool.nodes);
      if (jobs.size() < 2 && jobs.stream().noneMatch(job -> job.node == node)) {
        last = "drain " + pool.nodes.indexOf(node);
        Job job = new Job(new UUID(88, ++lastTask), node);
        List<SegmentMount> sources = new ArrayList<>();
        for (SegmentMount segment : node.segments()) {
          sources.add(segment);
        }
        pool.open(job.id, sources);
        jobs.add(job);
      }
    }

    private void take() {
      if (!jobs.isEmpty()) {
        take(pick(jobs), 1 + pool.random.nextInt(4));
      }
    }

    private int take(Job job, int max) {
      last = "take " + pool.nodes.indexOf(job.node);
      removed.clear();
      List<Move> moves = pool.take(job.id, max);
      for (Move move : moves) {
        assertThat(committed.get(move.key())).as(move.key()).isEqualTo(move.version());
        assertThat(move.targets()).hasSize(1);
        written(move, DrainPool.GRANT);
      }
      job.active.addAll(moves);
      return moves.size();
    }

    private void settle() {
      List<Job> busy = jobs.stream().filter(job -> !job.active.isEmpty()).toList();
      if (!busy.isEmpty()) {
        settle(pick(busy), pool.random.nextInt(4) > 0);
      }
    }

    private void settle(Job job, boolean well) {
      Move move = job.active.remove(pool.random.nextInt(job.active.size()));
      last = (well ? "end " : "fail ") + move;
      boolean durable = isOnDiskOf(job.node, move.key());
      ErrorCode code = well ? pool.end(move).code() : pool.revoke(move);
      over(move);
      if (well && code == ErrorCode.OK) {
        stopped(move);
        rehomed(move, durable);
      } else if (pool.random.nextInt(6) == 0 && step < STEPS) {
        pool.fail(job.id, move);
        job.failedSome = true;
      } else {
        pool.again(job.id, move);
      }
    }

    private boolean isOnDiskOf(Node node, String key) {
      return pool.isComplete(key) && pool.generations(key).contains(node.disk.generation());
    }

    private void rehomed(Move move, boolean durable) {
      for (Node node : pool.nodes) {
        boolean target =
            node.memory.stream()
                .anyMatch(m -> m.generation() == move.targets().getFirst().generation());
        if (durable
            && target
            && pool.table.takesReplicas(node.disk.slot(), node.disk.generation())) {
          kept.add(move.key());
        }
      }
    }

    /** Ends a job: that of an empty node has succeeded, another one is cancelled. */
    private void cancel() {
      List<Job> empty = jobs.stream().filter(job -> pool.figures(job.id).replicas() == 0).toList();
      if (!jobs.isEmpty()) {
        Job job = pick(empty.isEmpty() ? jobs : empty);
        last = "cancel " + pool.nodes.indexOf(job.node);
        close(job);
      }
    }

    private void close(Job job) {
      pool.index.lanes().close(job.id, pool.now);
      job.node.segments().forEach(segment -> pool.happen(segment, SegmentEvent.RESUME));
      jobs.remove(job);
      job.active.forEach(move -> tasks.add(new Task(TaskType.REPLICA_MOVE, move)));
    }

    private void advance() {
      pool.now += pool.random.nextInt(4) == 0 ? 12_000 : pool.random.nextInt(2000);
      last = "now " + pool.now;
      pool.work();
      touched.removeIf(each -> each.untilMillis <= pool.now);
      assertThat(pool.index.nextDeadlineMillis()).isGreaterThan(pool.now);
    }

    private void suspect() {
      Node node = pick(pool.nodes);
      boolean served = pool.table.isServed(node.memory.getFirst().slot(), mount(node));
      last = (served ? "suspect " : "hear from ") + pool.nodes.indexOf(node);
      node.is(served ? ClientState.SUSPECTED : ClientState.ACTIVE);
    }

    private static long mount(Node node) {
      return node.memory.getFirst().generation();
    }

    // Checks

    private void check(Map<String, Before> before) {
      pool.audit();
      before.forEach(
          (key, was) -> {
            if (removed.contains(key)) {
              return;
            }
            boolean there = pool.isComplete(key);
            if (!there) {
              assertThat(evicting && !was.safe).as("%s was lost", key).isTrue();
              committed.remove(key);
            } else if (was.onDisk
                && committed.get(key) == was.version
                && !movedByHand.equals(key)) {
              assertThat(isOnDisk(key) || !aDiskMayTake(key)).as("%s left its disk", key).isTrue();
            }
          });
      committed.forEach(
          (key, version) -> {
            assertThat(pool.describe(key).version()).as(key).isEqualTo(version);
            List<ReplicaDescriptor> replicas = pool.describe(key).replicas();
            assertThat(replicas).anyMatch(r -> r.status() == ReplicaStatus.COMPLETE);
            assertThat(replicas.stream().map(ReplicaDescriptor::generation).distinct().count())
                .isEqualTo(replicas.size());
          });
      checkSpace();
    }

    private void checkSpace() {
      long used = 0;
      long stored = 0;
      for (SegmentInfo segment : pool.registry.list()) {
        if (segment.spec().kind() == SegmentKind.MEMORY) {
          used += segment.usedBytes();
          stored += pool.index.bytesInSlot(pool.registry.mountOf(segment.generation()).slot());
        }
      }
      long waiting = pool.index.stats().quarantinedBytes();
      if (pool.index.stats().offloadsOpen() == 0) {
        assertThat(used).isEqualTo(stored + waiting);
      } else {
        assertThat(used).as("nodes may be reading").isGreaterThanOrEqualTo(stored + waiting);
      }
    }

    /** Everybody is heard from, there is room, and what is drained gets empty. */
    void finish() {
      last = "finish";
      pool.nodes.forEach(node -> node.is(ClientState.ACTIVE));
      while (!tasks.isEmpty()) {
        endTask();
      }
      writes.clear();
      offloads.forEach((node, taken) -> taken.forEach(task -> settleOffload(node, task)));
      for (Job job : List.copyOf(jobs)) {
        if (job.failedSome) {
          // As a new job would, which takes over what the first one has left.
          pool.index.lanes().close(job.id, pool.now);
          job.active.forEach(pool::revoke);
          job.active.clear();
          pool.index
              .lanes()
              .open(job.id, job.node.segments(), List.of(), DrainPool.GRANT, pool.now);
        }
      }
      Node room = pool.node(64 * SEGMENT);
      pool.disk(room);
      for (int round = 0; round < 1000; round++) {
        boolean done = true;
        // Disks that refused something are asked again when segments change.
        room.is(ClientState.SUSPECTED);
        room.is(ClientState.ACTIVE);
        for (Job job : jobs) {
          take(job, 100);
          while (!job.active.isEmpty()) {
            settle(job, pool.random.nextInt(3) > 0);
          }
          for (Node node : pool.nodes) {
            if (node.disk.slot() >= 0) {
              pool.offload(node, 100, pool.random.nextInt(3) > 0);
            }
          }
          done &= pool.figures(job.id).exhausted() && !pool.lastStep.more();
        }
        pool.now += 1000; // writes that nobody ends run out of their grant
        pool.work();
        pool.passOnSpace();
        pool.audit();
        if (done) {
          break;
        }
      }
      for (Job job : jobs) {
        LaneFigures figures = pool.figures(job.id);
        assertThat(figures.replicas()).as("%s", pool.waiting(job.id)).isZero();
        assertThat(figures.exhausted()).isTrue();
        for (SegmentMount segment : job.node.segments()) {
          assertThat(pool.index.replicasInSlot(segment.slot())).isZero();
        }
      }
      for (Map.Entry<String, Long> each : committed.entrySet()) {
        TestPool.Location location = new TestPool.Location();
        assertThat(pool.index.locate(TestPool.key(each.getKey()), pool.now, location))
            .isEqualTo(ErrorCode.OK);
        assertThat(location.version).isEqualTo(each.getValue());
      }
      for (Job job : jobs) {
        long emptyAt = pool.figures(job.id).touchedUntilMillis();
        pool.now = Math.max(pool.now, emptyAt) + DrainPool.GRANT + TestPool.SKEW;
        pool.work();
        for (SegmentMount segment : job.node.memory) {
          assertThat(pool.registry.find(segment.generation()).orElseThrow().usedBytes()).isZero();
        }
      }
      checkSpace();
      pool.audit();
    }
  }
}
