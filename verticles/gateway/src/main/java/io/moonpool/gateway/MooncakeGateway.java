package io.moonpool.gateway;

import io.moonpool.gateway.admin.CallCounts;
import io.moonpool.gateway.admin.MooncakeAdmin;
import io.moonpool.gateway.client.MooncakeClients;
import io.moonpool.gateway.disk.MooncakeDisk;
import io.moonpool.gateway.handler.AbsentHandlers;
import io.moonpool.gateway.handler.DiskHandlers;
import io.moonpool.gateway.handler.ReadHandlers;
import io.moonpool.gateway.handler.RemovalHandlers;
import io.moonpool.gateway.handler.SegmentHandlers;
import io.moonpool.gateway.handler.ServiceHandlers;
import io.moonpool.gateway.handler.TaskHandlers;
import io.moonpool.gateway.handler.TransferHandlers;
import io.moonpool.gateway.handler.WriteHandlers;
import io.moonpool.gateway.segment.DiskEndpoints;
import io.moonpool.gateway.segment.Replicas;
import io.moonpool.gateway.transfer.Transfers;
import io.moonpool.master.MasterContext;
import io.moonpool.master.MasterInterface;
import io.moonpool.master.admin.AdminAddition;
import io.moonpool.master.admin.AdminInterface;
import io.moonpool.master.api.CallTable;
import io.moonpool.protocol.mooncake.MooncakeCalls;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers the calls of Mooncake's clients on the main port of one master, and the paths of their
 * admin server on its HTTP port.
 */
public final class MooncakeGateway implements MasterInterface {
  private final CallCounts counts = new CallCounts();
  private @Nullable State state;

  /** A gateway that is part of no master yet. Loads the calls, which takes long the first time. */
  public MooncakeGateway() {
    MooncakeCalls.all();
  }

  @Override
  public Kind kind() {
    return Kind.FRAMES;
  }

  /** What all listeners share. */
  private record State(
      MooncakeClients clients, DiskEndpoints disks, Replicas replicas, Transfers transfers) {
    static State of(MasterContext master) {
      MooncakeClients clients = new MooncakeClients(master);
      DiskEndpoints disks = new DiskEndpoints();
      clients.follow(
          gone -> {
            MooncakeDisk disk = gone.disk();
            if (disk != null) {
              disks.forget(disk.generation());
            }
          });
      return new State(
          clients,
          disks,
          new Replicas(master.segments(), disks),
          new Transfers(
              master.config().mooncake().writeGrantMillis(),
              () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime())));
    }
  }

  /** Listeners start on several loops, maybe at once. */
  private synchronized State shared(MasterContext master) {
    State known = state;
    if (known == null) {
      known = State.of(master);
      state = known;
    }
    return known;
  }

  @Override
  public void addCalls(CallTable calls, MasterContext master) {
    if (!master.config().mooncake().enabled()) {
      return;
    }
    State shared = shared(master);
    calls.observe(counts::observer);
    new ServiceHandlers(master.config().mooncake().version(), shared.clients()).addTo(calls);
    new ReadHandlers(master.operations(), shared.replicas()).addTo(calls);
    new WriteHandlers(master.operations(), shared.replicas()).addTo(calls);
    new RemovalHandlers(master.config(), master.operations()).addTo(calls);
    new SegmentHandlers(master.operations(), shared.clients()).addTo(calls);
    new DiskHandlers(master, shared.clients(), shared.disks(), shared.replicas()).addTo(calls);
    new TransferHandlers(master.tasks(), shared.clients(), shared.transfers(), shared.replicas())
        .addTo(calls);
    new TaskHandlers(
            master.drains(),
            master.tasks(),
            shared.clients(),
            shared.transfers(),
            master.segments(),
            System::currentTimeMillis)
        .addTo(calls);
    new AbsentHandlers().addTo(calls);
    calls.unobserved();
  }

  /** What the HTTP interface of that master serves beside its own, for {@link AdminInterface}. */
  public AdminAddition adminAddition(MasterContext master) {
    return master.config().mooncake().enabled()
        ? MooncakeAdmin.of(master, shared(master).replicas(), counts)
        : AdminAddition.NONE;
  }

  @Override
  public Future<Integer> start(MasterContext context) {
    return Future.succeededFuture(0);
  }
}
