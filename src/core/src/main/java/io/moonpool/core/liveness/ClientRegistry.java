package io.moonpool.core.liveness;

import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The registered nodes. Belongs to the monitor's loop; what other loops need of it they find in
 * {@link #published()}.
 *
 * <p>A node has an id that it keeps, and a new incarnation whenever its process starts anew or
 * comes back from OFFLINE. At most one incarnation of a node is not OFFLINE. Incarnations are
 * {@code master epoch << 32 | counter} and never used again; liveness slots are.
 */
public final class ClientRegistry {
  /** One incarnation of a node. */
  static final class Client {
    final UUID nodeId;
    final UUID startId;
    final LivenessSlot slot;
    final int slotIndex;
    String hostId;
    String address;
    Liveness liveness = Liveness.Active.INSTANCE;

    Client(
        UUID nodeId,
        UUID startId,
        LivenessSlot slot,
        int slotIndex,
        String hostId,
        String address) {
      this.nodeId = nodeId;
      this.startId = startId;
      this.slot = slot;
      this.slotIndex = slotIndex;
      this.hostId = hostId;
      this.address = address;
    }

    long incarnation() {
      return slot.incarnation();
    }
  }

  private static final UUID NIL = new UUID(0, 0);

  private final long masterEpoch;
  private final PublishedClients published = new PublishedClients();

  /** In order of registration, the latest incarnation of each node. */
  private final Map<UUID, Client> clients = new LinkedHashMap<>();

  private @Nullable LivenessSlot[] slots = new LivenessSlot[0];
  private final BitSet takenSlots = new BitSet();
  private int counter;

  /**
   * A registry without nodes.
   *
   * @param masterEpoch of this start of the master, 1 to 2^31-1
   * @throws IllegalArgumentException when the epoch is out of range
   */
  public ClientRegistry(long masterEpoch) {
    if (masterEpoch < 1 || masterEpoch > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("master epoch must be 1 to 2^31-1, not " + masterEpoch);
    }
    this.masterEpoch = masterEpoch;
  }

  /** Where any thread finds the current view. */
  public PublishedClients published() {
    return published;
  }

  /**
   * Registers a node's process, or renews it. A success counts as a signal.
   *
   * @param nodeId persisted by the node
   * @param startId random per start of the process
   * @param hostId the physical host; empty when unknown
   * @param address of the node's REST interface, for people; empty when it has none
   * @param observedNowMillis the {@link ObservedClock}'s reading
   */
  public Registration register(
      UUID nodeId, UUID startId, String hostId, String address, long observedNowMillis) {
    if (nodeId.equals(NIL) || startId.equals(NIL)) {
      return new Registration.Refused(
          ErrorCode.INVALID_PARAMS, "node id and start id must not be zero: generate random ones");
    }
    Client known = clients.get(nodeId);
    if (known == null) {
      return accept(nodeId, startId, hostId, address, observedNowMillis, Optional.empty());
    }
    boolean offline = known.liveness.state() == ClientState.OFFLINE;
    if (!offline && known.startId.equals(startId)) {
      known.slot.heard(observedNowMillis);
      known.hostId = hostId;
      known.address = address;
      return new Registration.Accepted(
          known.incarnation(), known.slotIndex, true, Optional.empty());
    }
    if (!known.liveness.yields(known.slot.heardMillis())) {
      return new Registration.Refused(
          ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, secondOwner(known, address));
    }
    Optional<LivenessTransition> superseded =
        offline
            ? Optional.empty()
            : Optional.of(moveTo(known, Liveness.Offline.INSTANCE, observedNowMillis));
    return accept(nodeId, startId, hostId, address, observedNowMillis, superseded);
  }

  private static String secondOwner(Client first, String address) {
    return "node id "
        + first.nodeId
        + " is in use by a live node"
        + at(first.address)
        + (first.hostId.isEmpty() ? "" : " on host " + first.hostId)
        + "; a second process"
        + at(address)
        + " must not share it: give this node a data directory of its own, or stop the other node"
        + " and wait until the master suspects it";
  }

  private static String at(String address) {
    return address.isEmpty() ? " without an address" : " at " + address;
  }

  private Registration accept(
      UUID nodeId,
      UUID startId,
      String hostId,
      String address,
      long observedNowMillis,
      Optional<LivenessTransition> superseded) {
    int index = takenSlots.nextClearBit(0);
    LivenessSlot slot = new LivenessSlot(masterEpoch << 32 | ++counter, observedNowMillis);
    takenSlots.set(index);
    clients.put(nodeId, new Client(nodeId, startId, slot, index, hostId, address));
    publish(index, slot);
    return new Registration.Accepted(slot.incarnation(), index, false, superseded);
  }

  /**
   * A node leaves by its own wish: it goes OFFLINE at once, whatever its state, and what follows is
   * the caller's, as after a judgement of the monitor.
   *
   * @return the step; empty when that incarnation is gone already, or never was
   */
  public Optional<LivenessTransition> leave(UUID nodeId, long incarnation, long observedNowMillis) {
    return admit(nodeId, incarnation) == ErrorCode.OK
        ? Optional.of(moveTo(get(nodeId), Liveness.Offline.INSTANCE, observedNowMillis))
        : Optional.empty();
  }

  /** Publishes a view in which that slot is taken by, or empty. */
  private void publish(int index, @Nullable LivenessSlot slot) {
    // Views are immutable: the array of the last one must not change.
    slots = Arrays.copyOf(slots, Math.max(slots.length, index + 1));
    slots[index] = slot;
    published.publish(new ClientView(published.current().version() + 1, slots));
  }

  /**
   * Tells whether a message of a node may be carried out: {@link ErrorCode#OK}, {@link
   * ErrorCode#CLIENT_NOT_FOUND} when the node never registered at this master, or {@link
   * ErrorCode#UNAVAILABLE_IN_CURRENT_STATUS} when the incarnation is an earlier one or OFFLINE. In
   * both cases the node has to register. Not a signal: see {@link #observe}.
   */
  public ErrorCode admit(UUID nodeId, long incarnation) {
    Client client = clients.get(nodeId);
    if (client == null) {
      return ErrorCode.CLIENT_NOT_FOUND;
    }
    return client.incarnation() == incarnation && client.liveness.state() != ClientState.OFFLINE
        ? ErrorCode.OK
        : ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS;
  }

  /**
   * Counts an operation of a node as a signal. Call it after the operation succeeded, never after
   * one that failed. Stale incarnations are ignored.
   */
  public void observe(UUID nodeId, long incarnation, long observedNowMillis) {
    if (admit(nodeId, incarnation) == ErrorCode.OK) {
      get(nodeId).slot.heard(observedNowMillis);
    }
  }

  private Client get(UUID nodeId) {
    Client client = clients.get(nodeId);
    if (client == null) {
      throw new IllegalStateException("node " + nodeId + " is not registered");
    }
    return client;
  }

  /** The state of a node's latest incarnation; OFFLINE for an unknown node. */
  public ClientState state(UUID nodeId) {
    Client client = clients.get(nodeId);
    return client == null ? ClientState.OFFLINE : client.liveness.state();
  }

  /**
   * Forgets an OFFLINE incarnation when nothing of it is left: it is listed no longer. Does nothing
   * when the node has registered anew meanwhile.
   */
  public void forget(UUID nodeId, long incarnation) {
    Client client = clients.get(nodeId);
    if (client != null
        && client.incarnation() == incarnation
        && client.liveness.state() == ClientState.OFFLINE) {
      clients.remove(nodeId);
    }
  }

  /**
   * All nodes, in order of their first registration.
   *
   * @param segmentsOf how many segments a node has mounted
   */
  public List<ClientInfo> list(long observedNowMillis, ToIntFunction<UUID> segmentsOf) {
    List<ClientInfo> infos = new ArrayList<>(clients.size());
    for (Client client : clients.values()) {
      infos.add(
          new ClientInfo(
              client.nodeId,
              client.incarnation(),
              client.hostId,
              client.address,
              client.liveness.state(),
              Math.max(0, observedNowMillis - client.slot.heardMillis()),
              segmentsOf.applyAsInt(client.nodeId)));
    }
    return infos;
  }

  /** How many nodes are in that state. */
  public int count(ClientState state) {
    int count = 0;
    for (Client client : clients.values()) {
      if (client.liveness.state() == state) {
        count++;
      }
    }
    return count;
  }

  /** The latest incarnation of each node, for the monitor. */
  Iterable<Client> clients() {
    return clients.values();
  }

  /** Takes a step that the state machine allows, and empties the slot of who went OFFLINE. */
  LivenessTransition moveTo(Client client, Liveness next, long observedNowMillis) {
    ClientState from = client.liveness.state();
    client.liveness = next;
    client.slot.state(next.state());
    if (next.state() == ClientState.OFFLINE) {
      takenSlots.clear(client.slotIndex);
      publish(client.slotIndex, null);
    }
    return new LivenessTransition(
        client.nodeId,
        client.incarnation(),
        from,
        next.state(),
        Math.max(0, observedNowMillis - client.slot.heardMillis()));
  }
}
