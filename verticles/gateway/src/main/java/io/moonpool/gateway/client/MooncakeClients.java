package io.moonpool.gateway.client;

import io.moonpool.master.MasterContext;
import io.moonpool.master.heartbeat.KnownClient;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.bus.Addresses;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.RegisterNode;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The clients of Mooncake that have lent something. Their protocol has no registration: the first
 * mount of a client registers it. Any loop may call; a ping takes no lock.
 */
public final class MooncakeClients {
  private final MasterContext master;

  // Reads of this map take no lock, whoever writes.
  private final Map<UUID, MooncakeClient> clients = new ConcurrentHashMap<>();

  /** Knows no client yet. */
  public MooncakeClients(MasterContext master) {
    this.master = master;
  }

  /**
   * Forgets clients from now on when they are OFFLINE; call once.
   *
   * @param gone is told of each
   */
  public void follow(Consumer<MooncakeClient> gone) {
    master
        .vertx()
        .eventBus()
        .<JsonObject>localConsumer(Addresses.CLIENT_EVENTS, message -> heard(message.body(), gone));
  }

  private void heard(JsonObject event, Consumer<MooncakeClient> gone) {
    if (!JsonForms.name(ClientState.OFFLINE).equals(event.getString("to"))) {
      return;
    }
    UUID id = UUID.fromString(event.getString("node_id"));
    long incarnation = Long.parseLong(event.getString("incarnation"));
    MooncakeClient known = clients.get(id);
    if (known != null && known.incarnation() == incarnation && clients.remove(id, known)) {
      master.clientsById().remove(known.known());
      gone.accept(known);
    }
  }

  /** A client that is registered, or null. */
  public @Nullable MooncakeClient find(UUID id) {
    return clients.get(id);
  }

  /**
   * Records a ping, as the heartbeat port does, and tells the status to answer. Takes no lock and
   * waits for nothing.
   */
  public int ping(UUID id) {
    return master
        .clientsById()
        .ping(master.pings(), id.getMostSignificantBits(), id.getLeastSignificantBits())
        .number();
  }

  /**
   * Does something as a client, which is registered first if need be.
   *
   * @param hostId the client's physical host; may be empty
   * @param body is called again when the client was not registered any more
   */
  public <T> Future<T> as(UUID id, String hostId, Function<MooncakeClient, Future<T>> body) {
    MooncakeClient known = clients.get(id);
    if (known == null) {
      return register(id, hostId).compose(body);
    }
    return body.apply(known)
        .recover(
            failure ->
                isStale(failure)
                    ? register(id, hostId).compose(body)
                    : Future.failedFuture(failure));
  }

  private static boolean isStale(Throwable failure) {
    ErrorCode code = StoreException.codeOf(failure);
    return code == ErrorCode.CLIENT_NOT_FOUND || code == ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS;
  }

  private Future<MooncakeClient> register(UUID id, String hostId) {
    return master
        .operations()
        .registerNode(new RegisterNode(id, id, hostId, ""))
        .map(
            registration ->
                clients.compute(
                    id,
                    (ignored, known) ->
                        known != null && known.incarnation() == registration.incarnation()
                            ? known
                            : known(id, registration)));
  }

  /** Called for one client of an id at a time. */
  private MooncakeClient known(UUID id, NodeRegistration registration) {
    KnownClient known = new KnownClient(id, registration.slot(), registration.incarnation());
    master.clientsById().put(known);
    return new MooncakeClient(id, registration.incarnation(), known);
  }
}
