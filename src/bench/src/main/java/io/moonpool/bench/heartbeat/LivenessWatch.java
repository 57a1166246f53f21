package io.moonpool.bench.heartbeat;

import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientState;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.ListClients;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** Asks the master again and again how its clients are, on a thread of its own. */
final class LivenessWatch implements AutoCloseable {
  private static final long PERIOD_NANOS = 20_000_000;

  /** A client that was seen to be, or not to be any more, in a state. */
  record Sighting(int client, ClientState state, long atNanos) {}

  private final HeartbeatPool pool;
  private final MasterCaller caller;
  private final List<Sighting> sightings = new ArrayList<>();
  private final Thread thread =
      Thread.ofPlatform().daemon().name("liveness-watch").unstarted(this::run);
  private volatile boolean stopped;

  LivenessWatch(Vertx vertx, MasterUnderTest master, HeartbeatPool pool) {
    this.pool = pool;
    this.caller = new MasterCaller(vertx, master);
  }

  void start() {
    thread.start();
  }

  private void run() {
    ClientState[] last = new ClientState[pool.clients()];
    while (!stopped) {
      try {
        List<ClientInfo> infos = caller.call(Calls.CLIENTS, new ListClients());
        look(infos, last, System.nanoTime());
      } catch (StoreException e) {
        // Asked again soon.
      } catch (InterruptedException e) {
        return;
      }
      LockSupport.parkNanos(PERIOD_NANOS);
    }
  }

  private void look(List<ClientInfo> infos, ClientState[] last, long nowNanos) {
    Set<UUID> there = new HashSet<>();
    for (ClientInfo info : infos) {
      there.add(info.nodeId());
      see(pool.clientOf(info.nodeId()), info.state(), last, nowNanos);
    }
    for (int client = 0; client < last.length; client++) {
      if (last[client] != null && !there.contains(pool.nodeId(client))) {
        // Forgotten: it was OFFLINE and nothing of it is left.
        see(client, ClientState.OFFLINE, last, nowNanos);
      }
    }
  }

  private void see(int client, ClientState state, ClientState[] last, long nowNanos) {
    if (client >= 0 && last[client] != state) {
      last[client] = state;
      synchronized (sightings) {
        sightings.add(new Sighting(client, state, nowNanos));
      }
    }
  }

  /** What was seen so far, in order. */
  List<Sighting> sightings() {
    synchronized (sightings) {
      return List.copyOf(sightings);
    }
  }

  @Override
  public void close() {
    stopped = true;
  }
}
