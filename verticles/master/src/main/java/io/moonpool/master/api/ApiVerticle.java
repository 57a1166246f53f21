package io.moonpool.master.api;

import io.moonpool.master.MasterConfig;
import io.moonpool.master.MasterOperations;
import io.moonpool.master.disk.DiskOperations;
import io.moonpool.master.drain.TaskOperations;
import io.moonpool.master.heartbeat.PingRecorder;
import io.moonpool.master.loop.HandlerMeter;
import io.moonpool.master.loop.LoopCounter;
import io.moonpool.master.loop.MasterLoop;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.EndTransfer;
import io.moonpool.protocol.call.Ping;
import io.moonpool.protocol.call.PingAnswer;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.StartTransfer;
import io.moonpool.protocol.frame.ConnectionLimit;
import io.moonpool.protocol.frame.FrameCounter;
import io.moonpool.protocol.frame.FrameDispatcher;
import io.moonpool.protocol.frame.FrameLimits;
import io.moonpool.protocol.frame.FrameServer;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.net.NetServerOptions;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One listener of the main port. All of them share it and its connections. Pings are recorded right
 * here, without a hop: the main port is the fallback of the heartbeat port.
 */
public final class ApiVerticle extends VerticleBase {
  private static final int MAX_IN_FLIGHT = 1_024;
  private static final int BACKLOG = 4_096;

  /** Instances of one deployment that ask Vert.x for the same negative port get one free port. */
  private static final int ANY_PORT_TOGETHER = -1;

  private final MasterConfig config;
  private final MasterOperations operations;
  private final DiskOperations disks;
  private final TaskOperations tasks;
  private final PingRecorder recorder;
  private final List<MasterLoop> loops;
  private final NetServerOptions options;
  private final ConnectionLimit connections;
  private final Consumer<CallTable> more;
  private final LoopCounter pings = new LoopCounter();
  private volatile @Nullable FrameServer server;

  /**
   * A listener.
   *
   * @param loops it must be deployed on one of these
   * @param options TLS, otherwise empty
   * @param connections shared by all listeners
   * @param more adds the calls of other protocols; called on the listener's loop
   */
  public ApiVerticle(
      MasterConfig config,
      MasterOperations operations,
      DiskOperations disks,
      TaskOperations tasks,
      PingRecorder recorder,
      List<MasterLoop> loops,
      NetServerOptions options,
      ConnectionLimit connections,
      Consumer<CallTable> more) {
    this.config = config;
    this.more = more;
    this.connections = connections;
    this.operations = operations;
    this.disks = disks;
    this.tasks = tasks;
    this.recorder = recorder;
    this.loops = List.copyOf(loops);
    this.options =
        new NetServerOptions(options)
            .setHost(config.rpcHost())
            .setPort(config.rpcPort() == 0 ? ANY_PORT_TOGETHER : config.rpcPort())
            .setAcceptBacklog(BACKLOG);
  }

  @Override
  public Future<?> start() {
    FrameLimits limits =
        new FrameLimits(
            config.maxFrameBytes(),
            MAX_IN_FLIGHT,
            config.maxFrameBytes(),
            FrameLimits.DEFAULT.stallMillis());
    MasterLoop mine = loops.stream().filter(MasterLoop::isCurrent).findFirst().orElse(null);
    if (mine == null) {
      return Future.failedFuture(new IllegalStateException("deployed on another loop"));
    }
    return FrameServer.listen(vertx, options, dispatcher(mine.meter()), limits, connections)
        .map(
            listening -> {
              server = listening;
              return listening;
            })
        .recover(
            failure ->
                Future.failedFuture(
                    new IOException(
                        "rpc_port "
                            + config.rpcPort()
                            + " of "
                            + config.rpcHost()
                            + " cannot be listened on: "
                            + failure.getMessage(),
                        failure)));
  }

  private FrameDispatcher dispatcher(HandlerMeter meter) {
    CallTable calls = new CallTable(meter);
    calls
        .on(Calls.HELLO, operations::hello)
        .on(Calls.PUT_START, operations::putStart)
        .on(Calls.UPSERT_START, operations::upsertStart)
        .on(Calls.END, operations::end)
        .on(Calls.REVOKE, operations::revoke)
        .on(Calls.LOCATE, operations::locate)
        .on(Calls.EXISTS, operations::exists)
        .on(Calls.DESCRIBE, operations::describe)
        .on(Calls.REMOVE, operations::remove)
        .onLong(Calls.REMOVE_MATCHING, operations::removeMatching)
        .onLong(Calls.LIST, operations::list)
        .on(Calls.REGISTER_NODE, operations::registerNode)
        .on(Calls.UNREGISTER_NODE, operations::unregisterNode)
        .onLong(Calls.MOUNT_SEGMENTS, operations::mountSegments)
        .on(Calls.UNMOUNT_SEGMENT, operations::unmountSegment)
        .on(Calls.DESCRIBE_SEGMENTS, operations::describeSegments)
        .on(Calls.CLIENTS, ignored -> operations.clients())
        .onUrgent(Calls.PING, this::ping)
        .on(Calls.REPORT_DISK_OBJECTS, disks::report)
        .on(Calls.TAKE_DISK_WORK, disks::take)
        .on(Calls.SETTLE_OFFLOADS, disks::settle)
        .on(Calls.SETTLE_PROMOTIONS, disks::settle)
        .on(Calls.DROP_DISK_OBJECTS, disks::drop)
        .on(Calls.ACK_TOMBSTONES, disks::acknowledge)
        .on(Calls.OFFLOAD_SEGMENT, disks::offload)
        .onLong(Calls.TAKE_TASKS, tasks::take)
        .on(Calls.SETTLE_TASKS, tasks::settle)
        .on(Calls.COPY_START, starts(TaskType.REPLICA_COPY))
        .on(Calls.COPY_END, ends(TaskType.REPLICA_COPY))
        .on(Calls.COPY_REVOKE, revokes(TaskType.REPLICA_COPY))
        .on(Calls.MOVE_START, starts(TaskType.REPLICA_MOVE))
        .on(Calls.MOVE_END, ends(TaskType.REPLICA_MOVE))
        .on(Calls.MOVE_REVOKE, revokes(TaskType.REPLICA_MOVE));
    more.accept(calls);
    return calls.build();
  }

  private Function<StartTransfer, Future<ReplicaTask>> starts(TaskType type) {
    return request -> tasks.startTransfer(type, request);
  }

  private Function<EndTransfer, Future<Void>> ends(TaskType type) {
    return request -> tasks.endTransfer(type, request);
  }

  private Function<EndTransfer, Future<Void>> revokes(TaskType type) {
    return request -> tasks.revokeTransfer(type, request);
  }

  private Future<PingAnswer> ping(Ping ping) {
    pings.increment();
    return Future.succeededFuture(
        new PingAnswer(
            ping.sequence(),
            recorder.record(ping.slot(), ping.incarnation()),
            recorder.masterEpoch(),
            recorder.viewVersion()));
  }

  /** The port that it listens on, once it is deployed. */
  public int port() {
    FrameServer listening = server;
    if (listening == null) {
      throw new IllegalStateException("not listening");
    }
    return listening.port();
  }

  /** What its connections count; 0 before it listens. From any thread. */
  public long count(FrameCounter counter) {
    FrameServer listening = server;
    return listening == null ? 0 : listening.counters().get(counter);
  }

  /** Pings answered; from any thread. */
  public long pings() {
    return pings.get();
  }
}
