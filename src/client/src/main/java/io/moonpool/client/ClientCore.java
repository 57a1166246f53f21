package io.moonpool.client;

import io.moonpool.transfer.Transports;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.UUID;

/**
 * What the views of one client share: the loop, the connection to the master, the transports, and
 * what has been learned about segments and locations. Runs on the client's loop.
 */
final class ClientCore {
  private final ClientOptions options;
  private final ClientLoop loop;
  private final MasterCalls master;
  private final Transports transports;
  private final SegmentDirectory segments;
  private final LocationCache locations;
  private final Locator locator;
  private final ByteWindow window;
  private final SumWorker sums;
  private final DiskReads disks;
  private final ClientCounters counters = new ClientCounters();
  private final UUID writer = UUID.randomUUID();
  private int turn;

  ClientCore(
      Vertx vertx,
      ClientOptions options,
      ClientLoop loop,
      MasterCalls master,
      Transports transports) {
    this.options = options;
    this.loop = loop;
    this.master = master;
    this.transports = transports;
    this.segments = new SegmentDirectory(loop, master, transports, options.hostId());
    this.locations = new LocationCache(options.locationCacheEntries());
    this.locator = new Locator(master, locations);
    this.window = new ByteWindow(loop, options.windowBytes());
    this.sums = new SumWorker(vertx);
    this.disks =
        new DiskReads(
            vertx,
            loop,
            transports,
            node -> ClientConnector.nodeOptions(options, node.host(), node.port()));
  }

  ClientOptions options() {
    return options;
  }

  ClientLoop loop() {
    return loop;
  }

  MasterCalls master() {
    return master;
  }

  Transports transports() {
    return transports;
  }

  SegmentDirectory segments() {
    return segments;
  }

  LocationCache locations() {
    return locations;
  }

  Locator locator() {
    return locator;
  }

  ByteWindow window() {
    return window;
  }

  SumWorker sums() {
    return sums;
  }

  DiskReads disks() {
    return disks;
  }

  ClientCounters counters() {
    return counters;
  }

  /** Names this client as the owner of its writes. */
  UUID writer() {
    return writer;
  }

  /** Counts up, to spread reads over equal replicas; never negative. */
  int nextTurn() {
    turn = (turn + 1) & Integer.MAX_VALUE;
    return turn;
  }

  /** Forgets what an earlier master said. */
  void masterChanged() {
    segments.clear();
    locations.clear();
  }

  Future<Void> close() {
    return sums.close().eventually(disks::close);
  }
}
