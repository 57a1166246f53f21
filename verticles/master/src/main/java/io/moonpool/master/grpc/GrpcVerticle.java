package io.moonpool.master.grpc;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.MasterStats;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.health.Readiness;
import io.moonpool.master.heartbeat.PingRecorder;
import io.moonpool.master.monitor.LivenessOperations;
import io.moonpool.master.request.SegmentUnmount;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.grpc.reflection.ReflectionService;
import io.vertx.grpc.server.GrpcProtocol;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import io.vertx.grpc.server.Service;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Serves gRPC: the services of {@code moonpool.v1}, health and reflection. One instance. */
public final class GrpcVerticle extends VerticleBase {
  private final GrpcOptions options;
  private final MasterOperations master;
  private final DrainOperations drains;
  private final LivenessOperations liveness;
  private final PingRecorder pings;
  private final MasterStats stats;
  private volatile @Nullable HttpServer server;

  /** An interface to that master. */
  public GrpcVerticle(
      GrpcOptions options,
      MasterOperations master,
      DrainOperations drains,
      LivenessOperations liveness,
      PingRecorder pings,
      MasterStats stats) {
    this.options = options;
    this.master = master;
    this.drains = drains;
    this.liveness = liveness;
    this.pings = pings;
    this.stats = stats;
  }

  @Override
  public Future<?> start() {
    GrpcServer grpc =
        GrpcServer.server(
            vertx,
            new GrpcServerOptions()
                .setMaxMessageSize(options.maxMessageBytes())
                // A call whose deadline has passed is ended here too, not only forgotten there.
                .setScheduleDeadlineAutomatically(true)
                .removeEnabledProtocol(GrpcProtocol.WEB)
                .removeEnabledProtocol(GrpcProtocol.WEB_TEXT));
    List<Service> services =
        List.of(
            new ObjectsCalls(master),
            new SegmentsCalls(master, new SegmentUnmount(vertx, master)),
            new ClientsCalls(master, liveness, pings),
            new ClusterCalls(master, stats),
            new DrainsCalls(drains),
            new TasksCalls(drains));
    services.forEach(grpc::addService);
    grpc.addService(new HealthCalls(vertx, new Readiness(vertx, master, stats), services));
    grpc.addService(ReflectionService.v1());

    HttpServerOptions http = new HttpServerOptions().setHttp2ClearTextEnabled(true);
    options
        .address()
        .tls()
        .ifPresent(
            tls -> http.setSsl(true).setUseAlpn(true).setKeyCertOptions(tls.keyCertOptions()));
    HttpServer created = vertx.createHttpServer(http);
    server = created;
    return created
        .requestHandler(new TokenGate(options.address(), grpc))
        .listen(options.address().port(), options.address().host());
  }

  /**
   * The port that it listens on; useful when the configured one was 0. Any thread may call, after
   * the deployment has completed.
   */
  public int port() {
    HttpServer running = server;
    if (running == null) {
      throw new IllegalStateException("not deployed yet");
    }
    return running.actualPort();
  }
}
