package io.moonpool.client;

import io.moonpool.model.ClientState;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.transfer.Region;
import io.moonpool.transfer.TransferConfig;
import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A client, a master in memory, and segments behind real sockets. */
public final class Pool implements AutoCloseable {
  static final long SEGMENT_BYTES = 64 << 20;

  public final Vertx vertx = Vertx.vertx();
  public final MasterInMemory master = new MasterInMemory(vertx);
  final List<Region> regions = new ArrayList<>();
  public final List<Transports> servers = new ArrayList<>();
  final Transports transports;

  public Pool(int segments) {
    this(segments, List.of("tcp"));
  }

  public Pool(int segments, List<String> names) {
    for (int i = 0; i < segments; i++) {
      TransferConfig config = TransferConfig.node("127.0.0.1", 0).withTransports(names);
      Transports server = await(Transports.start(vertx, config));
      Region region = server.allocate(SEGMENT_BYTES);
      UUID id = new UUID(0, i);
      List<SegmentEndpoint> endpoints = server.register(region, id);
      server.activate(id, generation(i));
      servers.add(server);
      regions.add(region);
      master.mount(
          new SegmentInfo(
              SegmentSpec.memory(id, "segment-" + i, SEGMENT_BYTES, "", endpoints),
              new UUID(1, i),
              generation(i),
              SegmentStatus.OK,
              ClientState.ACTIVE,
              0));
    }
    transports = await(Transports.start(vertx, TransferConfig.client().withTransports(names)));
  }

  static long generation(int segment) {
    return (1L << 32) + segment;
  }

  public MoonpoolClient client() {
    return client(ClientOptions.DEFAULT);
  }

  MoonpoolClient client(ClientOptions options) {
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

  public static <T> T await(Future<T> future) {
    try {
      return future.await(30, TimeUnit.SECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError("not complete after 30 s", e);
    }
  }

  @Override
  public void close() {
    await(transports.close());
    for (int i = 0; i < servers.size(); i++) {
      await(servers.get(i).unregister(new UUID(0, i)));
      await(servers.get(i).close());
    }
    await(vertx.close());
    regions.forEach(Region::close);
  }
}
