package io.moonpool.master.loop;

import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.transport.Transport;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * One Vert.x instance whose loops have fixed jobs. Vert.x has no deployment option for that; its
 * transport interface does: the transport makes the loop group, and the group decides which loop a
 * new context gets.
 *
 * <p>Contexts that nobody placed get a service loop. The heartbeat loop is given to what is
 * deployed there through {@link #deploy}, and to nothing else.
 *
 * <p>Any thread may call its methods.
 */
public final class MasterLoops {
  private static final int SERVICE_LOOPS = 1;

  private final Vertx vertx;
  private final Transport transport;
  private final PortLimits limits;
  private final List<MasterLoop> loops;

  private MasterLoops(Vertx vertx, PinnedTransport transport, int queueLimit) {
    this.vertx = vertx;
    this.transport = transport;
    this.limits = transport.limits();
    this.loops =
        transport.group().loops().stream()
            .map(loop -> new MasterLoop(vertx, loop, queueLimit))
            .toList();
  }

  /**
   * Builds the Vert.x instance, on epoll where the machine has it.
   *
   * @param threads what the names of the loops' threads begin with
   * @param metadataLoops at least 1
   * @param queueLimit commands that may wait for one loop
   * @param options the number of event loops in it is ignored
   * @param customisation of the builder: metrics, tracer; not options, not transport
   */
  public static MasterLoops build(
      String threads,
      int metadataLoops,
      int queueLimit,
      VertxOptions options,
      UnaryOperator<VertxBuilder> customisation) {
    LoopPlan plan = new LoopPlan(threads, metadataLoops, SERVICE_LOOPS);
    PinnedTransport transport = new PinnedTransport(bestTransport(), plan);
    Vertx vertx = builder(options, customisation, plan, transport).build();
    return new MasterLoops(vertx, transport, queueLimit);
  }

  /**
   * As {@link #build}, with an event bus that is clustered through the cluster manager that {@code
   * customisation} adds.
   *
   * @return fails when the cluster cannot be joined
   */
  public static Future<MasterLoops> buildClustered(
      String threads,
      int metadataLoops,
      int queueLimit,
      VertxOptions options,
      UnaryOperator<VertxBuilder> customisation) {
    LoopPlan plan = new LoopPlan(threads, metadataLoops, SERVICE_LOOPS);
    PinnedTransport transport = new PinnedTransport(bestTransport(), plan);
    return builder(options, customisation, plan, transport)
        .buildClustered()
        .map(vertx -> new MasterLoops(vertx, transport, queueLimit));
  }

  private static VertxBuilder builder(
      VertxOptions options,
      UnaryOperator<VertxBuilder> customisation,
      LoopPlan plan,
      PinnedTransport transport) {
    VertxOptions sized = new VertxOptions(options).setEventLoopPoolSize(plan.size());
    return customisation.apply(Vertx.builder().with(sized)).withTransport(transport);
  }

  private static Transport bestTransport() {
    Transport epoll = Transport.EPOLL;
    return epoll != null && epoll.available() ? epoll : Transport.NIO;
  }

  /** The Vert.x instance. */
  public Vertx vertx() {
    return vertx;
  }

  /** How its sockets are made, {@code epoll} or {@code nio}; for servers without Vert.x. */
  public Transport transport() {
    return transport;
  }

  /** How many connections each of the ports may have. */
  public PortLimits limits() {
    return limits;
  }

  /** All loops. */
  public List<MasterLoop> all() {
    return loops;
  }

  /** The reserved loop. */
  public MasterLoop heartbeat() {
    return only(LoopRole.HEARTBEAT);
  }

  /** The loop of segments and monitor. */
  public MasterLoop control() {
    return only(LoopRole.CONTROL);
  }

  /** The loops that share the index, in the order of their shards. */
  public List<MasterLoop> metadata() {
    return loops.stream().filter(loop -> loop.role() == LoopRole.METADATA).toList();
  }

  private MasterLoop only(LoopRole role) {
    return loops.stream().filter(loop -> loop.role() == role).findFirst().orElseThrow();
  }

  /**
   * Deploys one instance of a verticle on a loop.
   *
   * @return the deployment's id
   */
  public Future<String> deploy(MasterLoop loop, Deployable verticle) {
    return deployOnEach(List.of(loop), () -> verticle);
  }

  /**
   * Deploys a verticle with one instance on each of some loops. As instances of one deployment they
   * can listen on one port together, any free one included.
   *
   * @return the deployment's id
   */
  public Future<String> deployOnEach(List<MasterLoop> targets, Supplier<Deployable> verticles) {
    // Fixes the caller's own context first, which would otherwise be made on a target loop, too.
    vertx.getOrCreateContext();
    Iterator<PinnedLoop> pinned =
        targets.stream().map(target -> (PinnedLoop) target.eventLoop()).iterator();
    return ScopedValue.where(PinnedLoopGroup.TARGETS, pinned)
        .call(
            () ->
                vertx.deployVerticle(
                    verticles, new DeploymentOptions().setInstances(targets.size())));
  }

  /** Closes Vert.x, and with it everything that was deployed. */
  public Future<Void> close() {
    return vertx.close();
  }
}
