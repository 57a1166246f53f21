package io.moonpool.bench.heartbeat;

import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentSpec;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.SettledTask;
import io.moonpool.protocol.call.TakeTasks;
import io.moonpool.protocol.call.UnmountSegment;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A client that lends segments: registers, mounts, pings, unmounts. */
public final class Client implements AutoCloseable {
  private static final int TASKS_AT_A_TIME = 32;
  private static final long TASK_WAIT_MILLIS = 500;

  private final int number;
  private final MasterUnderTest master;
  private final HeartbeatPool pool;
  private final MasterCaller caller;
  private final PingSender sender;
  private final long incarnation;
  private final List<Long> generations = new ArrayList<>();

  private Client(
      int number,
      MasterUnderTest master,
      HeartbeatPool pool,
      MasterCaller caller,
      NodeRegistration registration,
      boolean fallback) {
    this.number = number;
    this.master = master;
    this.pool = pool;
    this.caller = caller;
    this.incarnation = registration.incarnation();
    this.sender =
        new PingSender(
            number,
            master.host(),
            fallback ? master.rpcPort() : master.heartbeatPort(),
            fallback
                ? new MainPortExchange(registration.slot(), registration.incarnation())
                : new HeartbeatPortExchange(registration.slot(), registration.incarnation()),
            TimeUnit.SECONDS.toNanos(1) * number / pool.clients());
  }

  /** Registers, mounts all segments and starts to ping. Blocks until the segments are mounted. */
  public static Client join(Vertx vertx, MasterUnderTest master, HeartbeatPool pool, int number)
      throws InterruptedException {
    return join(vertx, master, pool, number, false);
  }

  /**
   * Registers, mounts all segments and starts to ping. Blocks until the segments are mounted.
   *
   * @param fallback whether it pings the main port, as clients do that do not reach the other
   */
  static Client join(
      Vertx vertx, MasterUnderTest master, HeartbeatPool pool, int number, boolean fallback)
      throws InterruptedException {
    MasterCaller caller = new MasterCaller(vertx, master);
    NodeRegistration registration =
        caller.call(
            Calls.REGISTER_NODE,
            new RegisterNode(pool.nodeId(number), new UUID(7, number), "", ""));
    Client client = new Client(number, master, pool, caller, registration, fallback);
    List<Outcome<Long>> mounts =
        caller.call(
            Calls.MOUNT_SEGMENTS,
            new MountSegments(
                pool.nodeId(number), registration.incarnation(), pool.segments(number)));
    mounts.forEach(mount -> client.generations.add(mount.get()));
    client.sender.start();
    return client;
  }

  /** Takes all segments back. Blocks until nothing is left on them. */
  public void unmount() throws InterruptedException {
    for (SegmentSpec segment : pool.segments(number)) {
      caller.call(
          Calls.UNMOUNT_SEGMENT,
          new UnmountSegment(pool.nodeId(number), incarnation, segment.id(), 0));
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
