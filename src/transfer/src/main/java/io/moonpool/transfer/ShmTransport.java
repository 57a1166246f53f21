package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.StoreException;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Put and get by copying from and to the mapped memory of another process of this host. The first
 * transfer to a segment maps it, over a handshake on the owner's data port; the mapping lives as
 * long as that connection does.
 *
 * <p>Small copies are made by the calling thread. On an event loop, larger ones go to a worker, as
 * {@link CopyTurns} decides.
 */
final class ShmTransport implements OpeningTransport<PeerMapping> {
  static final String NAME = "shm";

  private static final Logger LOG = LoggerFactory.getLogger(ShmTransport.class);

  private final VertxInternal vertx;
  private final DataConnector connector;
  private final @Nullable DataServer server;
  private final Workers copies;
  private final CopyTurns turns = new CopyTurns();
  private final Workers mappings;
  private final Map<Key, Future<PeerMapping>> mapped = new ConcurrentHashMap<>();
  private final Set<MapRequest> requests = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private record Key(UUID segmentId, long generation) {}

  /**
   * Makes the transport.
   *
   * @param server null when this process lends nothing
   */
  ShmTransport(VertxInternal vertx, DataConnector connector, @Nullable DataServer server) {
    this.vertx = vertx;
    this.connector = connector;
    this.server = server;
    int threads = connector.config().copyThreads();
    this.copies = new Workers(vertx, "moonpool-shm-copy", threads);
    this.mappings = new Workers(vertx, "moonpool-shm-map", 2);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public SegmentEndpoint register(Region region, UUID segmentId) {
    DataServer owner = Transports.requireServing(server);
    if (!(region instanceof SharedRegion shared)) {
      throw new IllegalArgumentException("shm needs a SharedRegion: allocate it with Transports");
    }
    byte[] descriptor;
    try {
      descriptor = ShmEndpoint.ofThisProcess(owner.endpoint()).encode();
    } catch (IOException e) {
      throw new IllegalStateException("shm is not possible here: " + e.getMessage(), e);
    }
    owner.shared().share(segmentId, shared);
    return new SegmentEndpoint(NAME, descriptor);
  }

  @Override
  public void activate(UUID segmentId, long generation) {
    Transports.requireWorker();
    Transports.requireServing(server).shared().activate(segmentId, generation);
  }

  @Override
  public Future<Void> unregister(UUID segmentId) {
    DataServer owner = server;
    return owner == null ? Future.succeededFuture() : owner.shared().withdraw(segmentId);
  }

  @Override
  public Future<Void> transfer(
      boolean put,
      MemorySegment local,
      RemoteSegment remote,
      long remoteOffset,
      long deadlineNanos) {
    ContextInternal context = vertx.getOrCreateContext();
    LocalMemory.check(put, local);
    StoreException wrong = remote.checkRange(remoteOffset, local.byteSize());
    if (wrong != null) {
      return context.failedFuture(wrong);
    }
    PeerMapping mapping = mapping(remote.segmentId(), remote.generation());
    if (mapping != null) {
      return copy(context, put, local, mapping, remote.size(), remoteOffset, deadlineNanos);
    }
    Promise<Void> promise = context.promise();
    openInTime(context, remote, deadlineNanos)
        .onComplete(
            opened -> {
              if (opened.failed()) {
                promise.fail(refusal(opened.cause()));
              } else {
                copy(
                        context,
                        put,
                        local,
                        opened.result(),
                        remote.size(),
                        remoteOffset,
                        deadlineNanos)
                    .onComplete(promise);
              }
            });
    return promise.future();
  }

  /** Whether a segment is on this host, as far as its endpoint tells. */
  static boolean isNear(RemoteSegment remote) {
    try {
      return ShmEndpoint.decode(remote.endpoint()).isNear();
    } catch (IllegalArgumentException | IOException e) {
      return false;
    }
  }

  @Override
  public StoreException refusal(Throwable cause) {
    return cause instanceof StoreException known
        ? known
        : new StoreException(
            ErrorCode.TRANSFER_FAIL, "the peer's memory cannot be mapped: " + cause.getMessage());
  }

  /** Moves bytes from or to a mapped segment. The future is of the context. */
  Future<Void> copy(
      ContextInternal context,
      boolean put,
      MemorySegment local,
      PeerMapping mapping,
      long segmentBytes,
      long remoteOffset,
      long deadlineNanos) {
    MemorySegment remote = mapping.memory();
    return PieceCopy.start(
        context,
        copies,
        turns,
        put,
        local,
        remote,
        Math.min(segmentBytes, remote.byteSize()),
        remoteOffset,
        deadlineNanos,
        mapping);
  }

  /** The mapping of a segment when there is one, null otherwise. */
  @Nullable PeerMapping mapping(UUID segmentId, long generation) {
    Future<PeerMapping> mapping = mapped.get(new Key(segmentId, generation));
    return mapping != null && mapping.succeeded() ? mapping.result() : null;
  }

  @Override
  public Future<PeerMapping> open(ContextInternal context, RemoteSegment remote) {
    Key key = new Key(remote.segmentId(), remote.generation());
    Promise<PeerMapping> promise = Promise.promise();
    Future<PeerMapping> present = mapped.putIfAbsent(key, promise.future());
    if (present != null) {
      return present;
    }
    start(context.nettyEventLoop(), key, remote, promise);
    promise.future().onFailure(cause -> mapped.remove(key, promise.future()));
    return promise.future();
  }

  private void start(EventLoop loop, Key key, RemoteSegment remote, Promise<PeerMapping> promise) {
    ShmEndpoint endpoint;
    try {
      endpoint = ShmEndpoint.decode(remote.endpoint());
      if (closed || !endpoint.isNear()) {
        promise.fail(new IOException("the segment is on another host or in another container"));
        return;
      }
    } catch (IllegalArgumentException | IOException e) {
      promise.fail(e);
      return;
    }
    MapRequest request =
        new MapRequest(
            connector.scratch(loop), endpoint.handshake(), key.segmentId, key.generation);
    request.send(connector, loop).onSuccess(channel -> connected(request));
    request
        .ticket()
        .onFailure(promise::tryFail)
        .onSuccess(ticket -> map(key, request, ticket, promise));
  }

  private void connected(MapRequest request) {
    requests.add(request);
    request.closed().onComplete(gone -> requests.remove(request));
    if (closed) {
      request.close();
    }
  }

  private void map(Key key, MapRequest request, SharedTicket ticket, Promise<PeerMapping> promise) {
    mappings
        .run(() -> PeerMapping.map(ticket, key.generation))
        .onFailure(
            cause -> {
              LOG.info(
                  "segment {} cannot be reached through shared memory, other transports are used:"
                      + " {}",
                  key.segmentId,
                  cause.getMessage());
              request.close();
              promise.tryFail(cause);
            })
        .onSuccess(
            mapping -> {
              request.closed().onComplete(gone -> unmap(key, mapping, promise));
              mappings.run(
                  () -> {
                    mapping.populate();
                    return mapping;
                  });
              promise.tryComplete(mapping);
            });
  }

  private void unmap(Key key, PeerMapping mapping, Promise<PeerMapping> promise) {
    mapping.gone();
    mapped.remove(key, promise.future());
    mappings
        .run(
            () -> {
              mapping.close();
              return mapping;
            })
        .onFailure(stopped -> mapping.close());
  }

  @Override
  public Future<Void> close() {
    closed = true;
    List<Future<Void>> closing = new ArrayList<>();
    for (MapRequest request : requests) {
      closing.add(request.closed());
      request.close();
    }
    return Future.join(closing)
        .transform(all -> Future.join(mappings.close(), copies.close()))
        .mapEmpty();
  }
}
