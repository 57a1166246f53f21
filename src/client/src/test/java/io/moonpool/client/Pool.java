package io.moonpool.client;

import io.moonpool.model.ClientState;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.transfer.AnonymousRegion;
import io.moonpool.transfer.Region;
import io.moonpool.transfer.TcpTransport;
import io.moonpool.transfer.TransferConfig;
import io.moonpool.transfer.Transport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A client, a master in memory, and segments behind real sockets. */
final class Pool implements AutoCloseable {
  static final long SEGMENT_BYTES = 64 << 20;

  final Vertx vertx = Vertx.vertx();
  final MasterInMemory master = new MasterInMemory(vertx);
  final List<Region> regions = new ArrayList<>();
  final List<TcpTransport> servers = new ArrayList<>();
  final Transport transport;

  Pool(int segments) {
    for (int i = 0; i < segments; i++) {
      TcpTransport server = await(TcpTransport.start(vertx, TransferConfig.loopback()));
      Region region = AnonymousRegion.allocate(SEGMENT_BYTES);
      UUID id = new UUID(0, i);
      SegmentEndpoint endpoint = server.register(region, id);
      server.activate(id, generation(i));
      servers.add(server);
      regions.add(region);
      master.mount(
          new SegmentInfo(
              new SegmentSpec(id, "segment-" + i, SEGMENT_BYTES, "", List.of(endpoint)),
              new UUID(1, i),
              generation(i),
              SegmentStatus.OK,
              ClientState.ACTIVE,
              0));
    }
    transport = await(TcpTransport.start(vertx, TransferConfig.loopback()));
  }

  static long generation(int segment) {
    return (1L << 32) + segment;
  }

  MoonpoolClient client() {
    return client(ClientOptions.DEFAULT);
  }

  MoonpoolClient client(ClientOptions options) {
    return client(options, List.of(transport));
  }

  MoonpoolClient client(ClientOptions options, List<Transport> transports) {
    ClientLoop loop = ClientLoop.of(vertx);
    ClientCore core = new ClientCore(vertx, options, loop, master, transports);
    return new StoreClient(core, options, core::close);
  }

  /** The memory of a replica. */
  MemorySegment memory(String key, int replica) {
    var where = master.replicas(key).get(replica);
    return regions
        .get((int) (where.generation() - generation(0)))
        .memory()
        .asSlice(where.offset(), where.size());
  }

  static <T> T await(Future<T> future) {
    try {
      return future.await(30, TimeUnit.SECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError("not complete after 30 s", e);
    }
  }

  @Override
  public void close() {
    await(transport.close());
    servers.forEach(server -> await(server.close()));
    await(vertx.close());
    regions.forEach(Region::close);
  }
}
