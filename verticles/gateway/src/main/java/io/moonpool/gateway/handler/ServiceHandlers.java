package io.moonpool.gateway.handler;

import io.moonpool.gateway.client.MooncakeClients;
import io.moonpool.master.api.CallTable;
import io.moonpool.protocol.mooncake.SegmentCalls;
import io.moonpool.protocol.mooncake.SegmentMessages.PingAnswer;
import io.moonpool.protocol.mooncake.SegmentMessages.StorageConfig;
import io.vertx.core.Future;
import java.util.UUID;

/** What clients ask about the master itself, and their pings. */
public final class ServiceHandlers {
  /** There is one master, so its group never changes. */
  private static final long VIEW = 0;

  private static final String NO_DIRECTORY = "";

  private final String version;
  private final MooncakeClients clients;

  /**
   * Handlers that answer by themselves.
   *
   * @param version what clients are told
   */
  public ServiceHandlers(String version, MooncakeClients clients) {
    this.version = version;
    this.clients = clients;
  }

  /** Adds them to a listener. */
  public void addTo(CallTable calls) {
    Future<String> ready = Future.succeededFuture(version);
    Future<String> directory = Future.succeededFuture(NO_DIRECTORY);
    Future<StorageConfig> storage =
        Future.succeededFuture(new StorageConfig(NO_DIRECTORY, true, 0));
    calls
        .onUrgent(SegmentCalls.SERVICE_READY, ignored -> ready)
        .on(SegmentCalls.GET_FSDIR, ignored -> directory)
        .on(SegmentCalls.GET_STORAGE_CONFIG, ignored -> storage)
        .onUrgent(SegmentCalls.PING, this::ping);
  }

  /** Straight to the liveness slot, on the loop that it came to. */
  private Future<PingAnswer> ping(UUID client) {
    return Future.succeededFuture(new PingAnswer(VIEW, clients.ping(client)));
  }
}
