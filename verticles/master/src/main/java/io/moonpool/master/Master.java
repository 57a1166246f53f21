package io.moonpool.master;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A running master: its own Vert.x instance with pinned event loops, the verticles on it, and the
 * ports they listen on.
 *
 * <p>Its methods may be called from any thread. Futures complete on one of the master's contexts.
 */
public final class Master {
  private final MasterContext context;
  private final MasterPorts ports;

  Master(MasterContext context, MasterPorts ports) {
    this.context = context;
    this.ports = ports;
  }

  /** Starts a master with the hot port and the heartbeat port only. */
  public static Future<Master> start(MasterConfig config) {
    return start(config, new VertxOptions(), UnaryOperator.identity(), List.of());
  }

  /**
   * Starts a master.
   *
   * @param options of its Vert.x; the master sets the number of event loops itself
   * @param customisation adds to the builder what the process wants: metrics, a cluster manager;
   *     must not replace options or transport
   * @param interfaces further ways in, started in this order after the hot port
   * @return fails with a clear message when a port is taken or a file cannot be read; nothing is
   *     left running then
   */
  public static Future<Master> start(
      MasterConfig config,
      VertxOptions options,
      UnaryOperator<VertxBuilder> customisation,
      List<MasterInterface> interfaces) {
    return Future.failedFuture(new UnsupportedOperationException("not yet"));
  }

  /** The ports that it really listens on. */
  public MasterPorts ports() {
    return ports;
  }

  /**
   * Everything it can be asked, for callers in this process. Call from a context of {@link #vertx}.
   */
  public MasterOperations operations() {
    return context.operations();
  }

  /** Its counters. */
  public MasterStats stats() {
    return context.stats();
  }

  /** Its Vert.x; contexts made from it never run on the heartbeat loop. */
  public Vertx vertx() {
    return context.vertx();
  }

  /** Stops listening, undeploys, closes its Vert.x. */
  public Future<Void> close() {
    return context.vertx().close();
  }
}
