package io.moonpool.master.monitor;

import io.moonpool.master.loop.MasterLoop;
import io.moonpool.model.ClientInfo;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.call.UnregisterNode;
import io.vertx.core.Future;
import java.util.List;

/** The way to the client monitor. Any context may call; futures complete on it. */
public final class ClientMonitorProxy implements LivenessOperations {
  private final MasterLoop loop;
  private final ClientMonitorVerticle owner;

  /** A proxy of the verticle that is deployed on that loop. */
  public ClientMonitorProxy(MasterLoop loop, ClientMonitorVerticle owner) {
    this.loop = loop;
    this.owner = owner;
  }

  /** See {@link io.moonpool.master.MasterOperations#registerNode}. */
  public Future<NodeRegistration> register(RegisterNode request) {
    return loop.call(() -> owner.register(request));
  }

  /** See {@link io.moonpool.master.MasterOperations#unregisterNode}. */
  public Future<Void> unregister(UnregisterNode request) {
    return loop.call(() -> owner.unregister(request));
  }

  @Override
  public Future<BreakerState> breaker() {
    return loop.call(() -> Future.succeededFuture(owner.breaker()));
  }

  @Override
  public Future<BreakerState> confirmOffline() {
    return loop.call(owner::confirmOffline);
  }

  /** See {@link io.moonpool.master.MasterOperations#clients}. */
  public Future<List<ClientInfo>> list() {
    return loop.call(() -> Future.succeededFuture(owner.list()));
  }
}
