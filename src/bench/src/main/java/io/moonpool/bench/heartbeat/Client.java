package io.moonpool.bench.heartbeat;

import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentSpec;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.ListClients;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.SettledTask;
import io.moonpool.protocol.call.TakeTasks;
import io.moonpool.protocol.call.UnmountSegment;
import io.moonpool.protocol.mooncake.SegmentCalls;
import io.moonpool.protocol.mooncake.SegmentMessages;
import io.moonpool.protocol.wire.Form;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A client that lends segments: registers, mounts, pings, unmounts. */
public final class Client implements AutoCloseable {
  private static final int TASKS_AT_A_TIME = 32;
  private static final long TASK_WAIT_MILLIS = 500;

  /** Where the memory of a client of Mooncake begins, as it says: nobody reads it. */
  private static final long MOONCAKE_BASE = 1L << 40;

  private final int number;
  private final MasterUnderTest master;
  private final HeartbeatPool pool;
  private final MasterCaller caller;
  private final PingSender sender;
  private final long incarnation;
  private final PingWay way;
  private final List<Long> generations = new ArrayList<>();

  private Client(
      int number,
      MasterUnderTest master,
      HeartbeatPool pool,
      MasterCaller caller,
      long incarnation,
      PingWay way,
      PingExchange exchange) {
    this.number = number;
    this.master = master;
    this.pool = pool;
    this.caller = caller;
    this.incarnation = incarnation;
    this.way = way;
    this.sender =
        new PingSender(
            number,
            master.host(),
            way.isMainPort() ? master.rpcPort() : master.heartbeatPort(),
            exchange,
            TimeUnit.SECONDS.toNanos(1) * number / pool.clients());
  }

  /** Registers, mounts all segments and starts to ping. Blocks until the segments are mounted. */
  public static Client join(Vertx vertx, MasterUnderTest master, HeartbeatPool pool, int number)
      throws InterruptedException {
    return join(vertx, master, pool, number, PingWay.HEARTBEAT_PORT);
  }

  /**
   * Registers, mounts all segments and starts to ping. Blocks until the segments are mounted.
   *
   * @param way what it is, and where it pings
   */
  public static Client join(
      Vertx vertx, MasterUnderTest master, HeartbeatPool pool, int number, PingWay way)
      throws InterruptedException {
    Client client =
        way == PingWay.MOONCAKE
            ? mooncake(vertx, master, pool, number)
            : moonpool(vertx, master, pool, number, way);
    client.sender.start();
    return client;
  }

  private static Client moonpool(
      Vertx vertx, MasterUnderTest master, HeartbeatPool pool, int number, PingWay way)
      throws InterruptedException {
    MasterCaller caller = new MasterCaller(vertx, master);
    NodeRegistration registration =
        caller.call(
            Calls.REGISTER_NODE,
            new RegisterNode(pool.nodeId(number), new UUID(7, number), "", ""));
    int slot = registration.slot();
    long incarnation = registration.incarnation();
    Client client =
        new Client(
            number,
            master,
            pool,
            caller,
            incarnation,
            way,
            way == PingWay.MAIN_PORT
                ? MainPortExchange.moonpool(slot, incarnation)
                : new HeartbeatPortExchange(slot, incarnation));
    List<Outcome<Long>> mounts =
        caller.call(
            Calls.MOUNT_SEGMENTS,
            new MountSegments(pool.nodeId(number), incarnation, pool.segments(number)));
    mounts.forEach(mount -> client.generations.add(mount.get()));
    return client;
  }

  /**
   * As a client of Mooncake that was told to mount again, which is how each of them joins. Its
   * protocol tells nothing of incarnations and generations: the master is asked for them.
   */
  private static Client mooncake(
      Vertx vertx, MasterUnderTest master, HeartbeatPool pool, int number)
      throws InterruptedException {
    UUID id = pool.nodeId(number);
    MasterCaller caller = new MasterCaller(vertx, master, Form.LITERAL);
    List<SegmentMessages.Segment> segments = new ArrayList<>();
    for (SegmentSpec spec : pool.segments(number)) {
      segments.add(
          new SegmentMessages.Segment(
              spec.id(),
              spec.name(),
              MOONCAKE_BASE * (segments.size() + 1),
              spec.size(),
              "127.0.0.1:" + (1 + number),
              MooncakeEndpoint.TCP,
              ""));
    }
    caller.call(SegmentCalls.RE_MOUNT_SEGMENT, new SegmentMessages.ReMount(segments, id));
    long incarnation =
        caller.call(Calls.CLIENTS, new ListClients()).stream()
            .filter(info -> info.nodeId().equals(id))
            .findFirst()
            .orElseThrow()
            .incarnation();
    Client client =
        new Client(
            number,
            master,
            pool,
            caller,
            incarnation,
            PingWay.MOONCAKE,
            MainPortExchange.mooncake(id));
    caller.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[0])).stream()
        .filter(segment -> segment.nodeId().equals(id))
        .forEach(segment -> client.generations.add(segment.generation()));
    return client;
  }

  /** Takes all segments back. Blocks until nothing is left on them. */
  public void unmount() throws InterruptedException {
    for (SegmentSpec segment : pool.segments(number)) {
      if (way == PingWay.MOONCAKE) {
        caller.call(
            SegmentCalls.UNMOUNT_SEGMENT,
            new SegmentMessages.Unmount(segment.id(), pool.nodeId(number)));
      } else {
        caller.call(
            Calls.UNMOUNT_SEGMENT,
            new UnmountSegment(pool.nodeId(number), incarnation, segment.id(), 0));
      }
    }
  }

  /**
   * Takes the copies and moves that the master has for this client, and settles them as if all
   * bytes were where they belong: there are none. Blocks for a while when there are none.
   *
   * @return how many
   */
  public int carryOutTasks() throws InterruptedException {
    List<ReplicaTask> tasks =
        caller.call(
            Calls.TAKE_TASKS,
            new TakeTasks(pool.nodeId(number), incarnation, TASKS_AT_A_TIME, TASK_WAIT_MILLIS));
    if (!tasks.isEmpty()) {
      caller.call(
          Calls.SETTLE_TASKS,
          new SettleTasks(
              pool.nodeId(number),
              incarnation,
              tasks.stream().map(task -> new SettledTask(task.taskId(), 0, "")).toList()));
    }
    return tasks.size();
  }

  /** The generations of its segments, as they were mounted. */
  public List<Long> generations() {
    return List.copyOf(generations);
  }

  PingSender sender() {
    return sender;
  }

  int number() {
    return number;
  }

  /** Falls silent at once, as a process that dies. */
  @Override
  public void close() {
    sender.close();
  }

  @Override
  public String toString() {
    return "client " + number + " of " + master.host();
  }
}
