package io.moonpool.master.drain;

import io.moonpool.core.allocation.AllocationStrategy;
import io.moonpool.core.segment.SegmentEvent;
import io.moonpool.core.segment.SegmentRegistry;
import io.moonpool.master.DrainConfig;
import io.moonpool.master.TaskConfig;
import io.moonpool.master.journal.Journal;
import io.moonpool.master.journal.JournalRecord;
import io.moonpool.master.journal.JournalStates;
import io.moonpool.master.journal.JournalStats;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.SettledTask;
import io.moonpool.protocol.call.TakeTasks;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A scheduler with a clock, lanes and a journal that the test holds, and real segments. */
final class DrainFixture {
  static final long ACTIVE_TTL = 10_000;
  static final long INCARNATION = 7;

  /** A journal that remembers in order, and fails when it is told to. */
  static final class Records implements Journal {
    final List<JournalRecord> all = new ArrayList<>();
    boolean fails;

    @Override
    public Future<Void> append(List<? extends JournalRecord> records) {
      all.addAll(records);
      return fails
          ? Future.failedFuture(new StoreException(ErrorCode.PERSISTENT_FAIL))
          : Future.succeededFuture();
    }

    @Override
    public boolean isFailed() {
      return fails;
    }

    @Override
    public String failure() {
      return "";
    }

    @Override
    public boolean isDurable() {
      return true;
    }

    @Override
    public JournalStats stats() {
      return JournalStats.NONE;
    }

    @Override
    public void close() {}
  }

  final FakeClock clock = new FakeClock();
  final FakeLanes lanes;
  final Records journal = new Records();
  final List<ClientInfo> nodes = new ArrayList<>();
  final List<DrainEvent> events = new ArrayList<>();
  final DrainConfig config;
  final TaskConfig taskConfig;
  SegmentRegistry registry;
  Tasks tasks;
  DrainScheduler scheduler;
  ManualTasks byHand;
  DrainCounts counts;
  private int starts;

  DrainFixture() {
    this(2, DrainConfig.DEFAULT, TaskConfig.DEFAULT);
  }

  DrainFixture(int laneCount, DrainConfig config, TaskConfig taskConfig) {
    lanes = new FakeLanes(laneCount);
    this.config = config;
    this.taskConfig = taskConfig;
    start();
  }

  private void start() {
    registry = new SegmentRegistry(++starts, AllocationStrategy.RANDOM);
    counts = new DrainCounts();
    tasks = new Tasks(taskConfig, 600_000, lanes, clock, clock);
    scheduler =
        new DrainScheduler(
            config,
            ACTIVE_TTL,
            lanes,
            tasks,
            registry,
            (ids, event) -> ids.forEach(id -> registry.drain(id, event)),
            () -> nodes,
            new JobBook(JournalStates.of(journal.all), journal),
            new DrainEvents(clock, events::add),
            clock,
            counts,
            clock);
    byHand = new ManualTasks(tasks, lanes, registry, scheduler::known, clock);
    scheduler.start();
  }

  /** Another start of the master: only the journal is left. */
  void restart() {
    start();
  }

  /** A node that is registered. */
  UUID node(int number) {
    UUID id = new UUID(0x10DE, number);
    nodes.removeIf(node -> node.nodeId().equals(id));
    nodes.add(
        new ClientInfo(
            id,
            INCARNATION,
            "host-" + number,
            "10.0.0." + number + ":9300",
            ClientState.ACTIVE,
            0,
            1));
    return id;
  }

  /** Mounts a memory segment, and answers its generation. */
  long memory(UUID node, String name) {
    SegmentSpec spec =
        SegmentSpec.memory(
            UUID.nameUUIDFromBytes(name.getBytes()),
            name,
            1 << 20,
            "",
            List.of(new SegmentEndpoint("tcp", new byte[] {1})));
    long generation =
        registry.mount(node, ClientState.ACTIVE, List.of(spec)).result().getFirst().generation();
    mounted(spec.id());
    return generation;
  }

  /** Mounts a disk, and answers its generation. */
  long disk(UUID node, String name, boolean scanned) {
    SegmentSpec spec =
        new SegmentSpec(
            UUID.nameUUIDFromBytes(name.getBytes()),
            name,
            1 << 30,
            "",
            List.of(new SegmentEndpoint("tcp", new byte[] {1})),
            SegmentKind.LOCAL_DISK);
    long generation =
        registry
            .mountDisk(node, ClientState.ACTIVE, spec, name.hashCode() & 0xffff | 1)
            .result()
            .generation();
    mounted(spec.id());
    if (scanned) {
      scan(name);
    }
    return generation;
  }

  /** The generation that the first mount after a restart gets. */
  long nextGeneration() {
    return (long) starts << 32 | 1;
  }

  private void mounted(UUID id) {
    if (scheduler.holds(id)) {
      registry.drain(id, SegmentEvent.DRAIN);
    }
    scheduler.segmentsChanged(registry.findById(id).orElseThrow());
    clock.settle();
  }

  void scan(String name) {
    SegmentInfo disk = segment(name);
    registry.scanned(disk.generation());
    scheduler.segmentsChanged(disk);
    clock.settle();
  }

  /** A node's segments go, as when it is OFFLINE. */
  void offline(UUID node) {
    registry.ownerChanged(node, ClientState.OFFLINE);
    for (SegmentInfo segment : registry.list()) {
      if (segment.nodeId().equals(node)) {
        scheduler.leaving(segment);
      }
    }
    tasks.nodeGone(node);
    clock.settle();
    for (SegmentInfo segment : registry.list()) {
      if (segment.nodeId().equals(node)) {
        registry.swept(segment.generation());
      }
    }
  }

  SegmentInfo segment(String name) {
    return registry.list().stream()
        .filter(segment -> segment.spec().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  SegmentStatus status(String name) {
    return segment(name).status();
  }

  UUID drain(DrainRequest request) {
    Future<JobInfo> created = scheduler.create(request);
    clock.settle();
    return created.result().id();
  }

  JobInfo job(UUID id) {
    clock.settle();
    return scheduler.look(id).result();
  }

  /** The tasks that a node gets now. */
  List<ReplicaTask> take(UUID node, int max) {
    clock.settle();
    return tasks.take(new TakeTasks(node, INCARNATION, max, 0), () -> false).result();
  }

  Outcome<Void> settle(UUID node, UUID task, ErrorCode code) {
    return settling(node, task, code).result().getFirst();
  }

  /** The same, when the answer may take its time. */
  Future<List<Outcome<Void>>> settling(UUID node, UUID task, ErrorCode code) {
    Future<List<Outcome<Void>>> answer =
        tasks.settle(
            new SettleTasks(node, INCARNATION, List.of(new SettledTask(task, code.number(), ""))));
    clock.settle();
    return answer;
  }

  /** Carries out what a node gets until it gets nothing; answers how many tasks that were. */
  int work(UUID node) {
    int done = 0;
    for (List<ReplicaTask> taken = take(node, 100); !taken.isEmpty(); taken = take(node, 100)) {
      for (ReplicaTask task : taken) {
        settle(node, task.taskId(), ErrorCode.OK);
        done++;
      }
    }
    return done;
  }

  /** As {@link #work}, but one key fails each time. */
  void workFailing(UUID node, String key, ErrorCode code) {
    for (List<ReplicaTask> taken = take(node, 100); !taken.isEmpty(); taken = take(node, 100)) {
      for (ReplicaTask task : taken) {
        boolean fails = new String(task.object().key()).equals(key);
        settle(node, task.taskId(), fails ? code : ErrorCode.OK);
      }
    }
  }

  void laneChanged(int lane, UUID job) {
    scheduler.laneChanged(lane, job);
    clock.settle();
  }
}
