package io.moonpool.master.monitor;

import io.moonpool.core.liveness.ClientRegistry;
import io.moonpool.core.liveness.LivenessMonitor;
import io.moonpool.core.liveness.LivenessTransition;
import io.moonpool.core.liveness.LivenessTtls;
import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.core.liveness.OfflineBreaker;
import io.moonpool.core.liveness.Registration;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.segment.NodeAdmission;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.bus.Addresses;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.call.UnregisterNode;
import io.moonpool.protocol.frame.LogGate;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the client registry and judges the clients every {@link ObservedClock#STEP_MILLIS}. What
 * follows from a transition is done after the judgement, and events are published last, fire and
 * forget.
 */
public final class ClientMonitorVerticle extends VerticleBase implements NodeAdmission {
  private static final Logger LOG = LoggerFactory.getLogger(ClientMonitorVerticle.class);

  /** Who asks again and again for what cannot be does not fill the log. */
  private final LogGate refusals = new LogGate();

  private final MasterConfig config;
  private final ClientRegistry registry;
  private final OfflineBreaker breaker;
  private final LivenessMonitor monitor;
  private final ObservedClock clock;
  private final LivenessCounts counts = new LivenessCounts();
  private @Nullable LivenessSubscriber subscriber;

  /**
   * A verticle that must be deployed on the control loop.
   *
   * @param clock the observed clock
   */
  public ClientMonitorVerticle(MasterConfig config, ClientRegistry registry, ObservedClock clock) {
    this.config = config;
    this.registry = registry;
    this.clock = clock;
    this.breaker = new OfflineBreaker(config.offlineBreaker().settings());
    this.monitor =
        new LivenessMonitor(
            registry,
            new LivenessTtls(config.clientActiveTtlMillis(), config.clientSuspicionTtlMillis()),
            breaker);
  }

  /** Names who has to act on transitions; before the verticle is deployed. */
  public void subscribe(LivenessSubscriber acting) {
    subscriber = acting;
  }

  @Override
  public Future<?> start() {
    if (subscriber == null) {
      return Future.failedFuture(new IllegalStateException("nobody acts on transitions"));
    }
    vertx.setPeriodic(ObservedClock.STEP_MILLIS, ignored -> tick());
    return Future.succeededFuture();
  }

  private LivenessSubscriber subscriber() {
    LivenessSubscriber acting = subscriber;
    if (acting == null) {
      throw new IllegalStateException("not started");
    }
    return acting;
  }

  private void tick() {
    // Before anything is looked at: a signal that arrives meanwhile only makes a client younger.
    long nowMillis = clock.millis();
    boolean held = breaker.holding();
    List<LivenessTransition> transitions = monitor.tick(nowMillis);
    transitions.forEach(this::act);
    if (breaker.holding()) {
      // Nodes that were not heard from again may just not have been able to.
      subscriber()
          .heldBack(nowMillis + config.clientActiveTtlMillis() + config.clientSuspicionTtlMillis());
    } else {
      subscriber().judged(nowMillis);
    }
    publishCounts();
    if (held != breaker.holding()) {
      tellOfBreaker();
    }
  }

  private void tellOfBreaker() {
    JsonObject event =
        new JsonObject()
            .put("event", "offline_breaker")
            .put("holding", breaker.holding())
            .put("reason", JsonForms.name(breaker.reason()))
            .put(
                "clients",
                registry.count(ClientState.ACTIVE) + registry.count(ClientState.SUSPECTED));
    if (breaker.holding()) {
      LOG.error(
          "{}: nodes that are not heard from stay SUSPECTED and keep what they have, until they are"
              + " heard again or an operator confirms that they are gone ('moonpool client"
              + " confirm-offline')",
          breaker.reason() == OfflineBreaker.Reason.SILENCE
              ? "no node is heard from any more"
              : "many nodes would go OFFLINE together");
    } else {
      LOG.warn("nodes are heard again: those that are not may go OFFLINE");
    }
    vertx.eventBus().publish(Addresses.CLIENT_EVENTS, event);
  }

  BreakerState breaker() {
    return breaker(breaker.holding() ? monitor.due(clock.millis()) : List.of());
  }

  private BreakerState breaker(List<UUID> held) {
    return new BreakerState(
        config.offlineBreaker().enabled(),
        breaker.holding(),
        breaker.reason(),
        held,
        breaker.trips());
  }

  Future<BreakerState> confirmOffline() {
    List<UUID> gone = monitor.confirm(clock.millis());
    if (gone.isEmpty()) {
      return Future.failedFuture(
          new StoreException(
              ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
              "no node is kept from going OFFLINE: there is nothing to confirm"));
    }
    LOG.warn("an operator confirms that {} nodes are gone: {}", gone.size(), gone);
    return Future.succeededFuture(breaker(gone));
  }

  private void act(LivenessTransition transition) {
    LOG.info(
        "node {} went from {} to {}, silent for {} ms",
        transition.nodeId(),
        transition.from(),
        transition.to(),
        transition.silentMillis());
    switch (transition.to()) {
      case ACTIVE -> counts.recovered.increment();
      case SUSPECTED -> counts.suspected.increment();
      case OFFLINE -> counts.offline.increment();
    }
    follow(transition);
  }

  /**
   * Does what follows from a transition.
   *
   * @return for OFFLINE, completes when nothing of the node is left and it is forgotten
   */
  private Future<Void> follow(LivenessTransition transition) {
    Future<Void> done = subscriber().ownerChanged(transition.nodeId(), transition.to());
    if (transition.to() == ClientState.OFFLINE) {
      done =
          done.onSuccess(
              ignored -> {
                registry.forget(transition.nodeId(), transition.incarnation());
                publishCounts();
              });
    }
    vertx
        .eventBus()
        .publish(
            Addresses.CLIENT_EVENTS,
            new JsonObject()
                .put("event", "liveness")
                .put("node_id", transition.nodeId().toString())
                .put("incarnation", Long.toString(transition.incarnation()))
                .put("from", JsonForms.name(transition.from()))
                .put("to", JsonForms.name(transition.to()))
                .put("silent_ms", transition.silentMillis()));
    return done;
  }

  private void publishCounts() {
    counts.publish(
        Map.of(
            ClientState.ACTIVE, registry.count(ClientState.ACTIVE),
            ClientState.SUSPECTED, registry.count(ClientState.SUSPECTED),
            ClientState.OFFLINE, registry.count(ClientState.OFFLINE)));
    counts.publish(new LivenessCounts.Breaker(breaker.holding(), monitor.held(), breaker.trips()));
  }

  Future<NodeRegistration> register(RegisterNode request) {
    Registration registration =
        registry.register(
            request.nodeId(),
            request.startId(),
            request.hostId(),
            request.address(),
            clock.millis());
    return switch (registration) {
      case Registration.Accepted accepted -> {
        accepted.superseded().ifPresent(this::act);
        publishCounts();
        if (!accepted.renewed()) {
          LOG.info(
              "node {} registered from '{}' as incarnation {}",
              request.nodeId(),
              request.address(),
              accepted.incarnation());
          vertx
              .eventBus()
              .publish(
                  Addresses.CLIENT_EVENTS,
                  new JsonObject()
                      .put("event", "registered")
                      .put("node_id", request.nodeId().toString())
                      .put("incarnation", Long.toString(accepted.incarnation()))
                      .put("address", request.address()));
        }
        yield Future.succeededFuture(
            new NodeRegistration(
                accepted.incarnation(), accepted.slot(), config.clientActiveTtlMillis()));
      }
      case Registration.Refused refused -> {
        long suppressed = refusals.tryPass(System.nanoTime());
        if (suppressed >= 0) {
          LOG.warn(
              "node {} may not register: {} ({} similar lines left out)",
              request.nodeId(),
              refused.message(),
              suppressed);
        }
        yield Future.failedFuture(new StoreException(refused.code(), refused.message()));
      }
    };
  }

  Future<Void> unregister(UnregisterNode request) {
    Optional<LivenessTransition> left =
        registry.leave(request.nodeId(), request.incarnation(), clock.millis());
    if (left.isEmpty()) {
      // Gone already: what may be left of it goes on its own.
      return subscriber().gone(request.nodeId());
    }
    LOG.info("node {} has left, as incarnation {}", request.nodeId(), request.incarnation());
    counts.left.increment();
    publishCounts();
    return follow(left.get());
  }

  /** The registered nodes. On the control loop. */
  public List<ClientInfo> list() {
    return registry.list(clock.millis(), subscriber()::countOf);
  }

  /** Its counters; from any thread. */
  public LivenessCounts counts() {
    return counts;
  }

  @Override
  public ErrorCode admit(UUID nodeId, long incarnation) {
    return registry.admit(nodeId, incarnation);
  }

  @Override
  public ClientState state(UUID nodeId) {
    return registry.state(nodeId);
  }

  @Override
  public long observedMillis() {
    return clock.millis();
  }

  @Override
  public void observe(UUID nodeId, long incarnation, long arrivedMillis) {
    registry.observe(nodeId, incarnation, arrivedMillis);
  }
}
