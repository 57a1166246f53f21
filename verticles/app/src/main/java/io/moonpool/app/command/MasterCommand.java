package io.moonpool.app.command;

import io.moonpool.app.config.Component;
import io.moonpool.master.Master;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.MasterPorts;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code moonpool master}. */
@Command(
    name = "master",
    abbreviateSynopsis = true,
    description = {
      "Run a master: the index of the pool. Bytes of objects never pass through it.",
      "Prints 'READY master rpc=... heartbeat=... grpc=... http=... pid=...' to stdout when it"
          + " serves, and stops in an orderly way on SIGTERM or Ctrl-C.",
    })
final class MasterCommand extends ServerCommand<MasterConfig> {
  MasterCommand() {
    super(Component.MASTER);
  }

  @Override
  Future<Running> start(MasterConfig config) {
    return Master.start(config).map(master -> new RunningMaster(master, config));
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
