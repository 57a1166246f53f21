package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.Client;
import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.bench.heartbeat.MasterUnderTest;
import io.moonpool.bench.heartbeat.PingWay;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/** Clients that lend the segments of a pool, without memory behind them, and ping. One thread. */
public final class Lenders implements AutoCloseable {
  private final List<Client> clients;

  private Lenders(List<Client> clients) {
    this.clients = clients;
  }

  /** All clients of a pool join, one after the other. Blocks. */
  public static Lenders join(Vertx vertx, MasterUnderTest master, HeartbeatPool pool)
      throws InterruptedException {
    return join(vertx, master, pool, PingWay.HEARTBEAT_PORT);
  }

  /**
   * All clients of a pool join, one after the other. Blocks.
   *
   * @param way what they are
   */
  static Lenders join(Vertx vertx, MasterUnderTest master, HeartbeatPool pool, PingWay way)
      throws InterruptedException {
    Lenders lenders = new Lenders(new ArrayList<>());
    boolean all = false;
    try {
      for (int i = 0; i < pool.clients(); i++) {
        lenders.clients.add(Client.join(vertx, master, pool, i, way));
      }
      all = true;
      return lenders;
    } finally {
      if (!all) {
        lenders.close();
      }
    }
  }

  @Override
  public void close() {
    clients.forEach(Client::close);
  }
}
