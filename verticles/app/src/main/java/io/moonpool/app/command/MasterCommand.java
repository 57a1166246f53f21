package io.moonpool.app.command;

import io.micrometer.core.instrument.FunctionCounter;
import io.moonpool.app.config.Component;
import io.moonpool.app.logging.LogLevels;
import io.moonpool.gateway.MooncakeGateway;
import io.moonpool.master.Master;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.MasterPorts;
import io.moonpool.master.Rehearsal;
import io.moonpool.master.admin.AdminInterface;
import io.moonpool.master.admin.metrics.MasterMetrics;
import io.moonpool.master.bus.BusInterface;
import io.moonpool.master.grpc.GrpcInterface;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code moonpool master}. */
@Command(
    name = "master",
    abbreviateSynopsis = true,
    description = {
      "Run a master: the index of the pool. Bytes of objects never pass through it.",
      "Prints 'READY master id=... rpc=... heartbeat=... grpc=... http=... pid=...' to stdout when it"
          + " serves, and stops in an orderly way on SIGTERM or Ctrl-C.",
    })
final class MasterCommand extends ServerCommand<MasterConfig> {
  MasterCommand() {
    super(Component.MASTER);
  }

  @Override
  Future<Running> start(MasterConfig config) {
    MasterMetrics metrics = new MasterMetrics();
    FunctionCounter.builder(
            "moonpool.log.events.dropped", LogLevels.class, _ -> LogLevels.droppedEvents())
        .description("Log events that were dropped because stderr was too slow for them.")
        .register(metrics.registry());
    MooncakeGateway gateway = new MooncakeGateway();
    return Master.start(
            config,
            metrics.configure(new VertxOptions()),
            metrics::addTo,
            List.of(
                new AdminInterface(metrics, gateway::adminAddition),
                new GrpcInterface(),
                new BusInterface(),
                gateway))
        .onSuccess(
            master -> {
              if (config.rehearsal()) {
                master.rehearsing(Rehearsal.run(config));
              }
            })
        .map(master -> new RunningMaster(master, config));
  }

  private record RunningMaster(Master master, MasterConfig config) implements Running {
    @Override
    public ServerAddress address() {
      MasterPorts ports = master.ports();
      Map<String, Integer> byName = new LinkedHashMap<>();
      byName.put("rpc", ports.rpc());
      byName.put("heartbeat", ports.heartbeat());
      byName.put("grpc", ports.grpc());
      byName.put("http", ports.http());
      return new ServerAddress("master", config.clusterId(), byName);
    }

    @Override
    public Future<Void> close() {
      return master.close();
    }
  }
}
