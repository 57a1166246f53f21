package io.moonpool.bench.heartbeat;

import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentSpec;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.call.UnmountSegment;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A client that lends segments: registers, mounts, pings, unmounts. */
final class Client implements AutoCloseable {
  private final int number;
  private final MasterUnderTest master;
  private final HeartbeatPool pool;
  private final MasterCaller caller;
  private final PingSender sender;
  private final long incarnation;

  private Client(
      int number,
      MasterUnderTest master,
      HeartbeatPool pool,
      MasterCaller caller,
      NodeRegistration registration) {
    this.number = number;
    this.master = master;
    this.pool = pool;
    this.caller = caller;
    this.incarnation = registration.incarnation();
    this.sender =
        new PingSender(
            number,
            master.host(),
            master.heartbeatPort(),
            registration.slot(),
            registration.incarnation(),
            TimeUnit.SECONDS.toNanos(1) * number / pool.clients());
  }

  /** Registers, mounts all segments and starts to ping. Blocks until the segments are mounted. */
  static Client join(Vertx vertx, MasterUnderTest master, HeartbeatPool pool, int number)
      throws InterruptedException {
    MasterCaller caller = new MasterCaller(vertx, master);
    NodeRegistration registration =
        caller.call(
            Calls.REGISTER_NODE,
            new RegisterNode(pool.nodeId(number), new UUID(7, number), "", ""));
    Client client = new Client(number, master, pool, caller, registration);
    List<Outcome<Long>> mounts =
        caller.call(
            Calls.MOUNT_SEGMENTS,
            new MountSegments(
                pool.nodeId(number), registration.incarnation(), pool.segments(number)));
    mounts.forEach(Outcome::get);
    client.sender.start();
    return client;
  }

  /** Takes all segments back. Blocks until nothing is left on them. */
  void unmount() throws InterruptedException {
    for (SegmentSpec segment : pool.segments(number)) {
      caller.call(
          Calls.UNMOUNT_SEGMENT,
          new UnmountSegment(pool.nodeId(number), incarnation, segment.id(), 0));
    }
  }

  PingSender sender() {
    return sender;
  }

  int number() {
    return number;
  }

  @Override
  public void close() {
    sender.close();
  }

  @Override
  public String toString() {
    return "client " + number + " of " + master.host();
  }
}
