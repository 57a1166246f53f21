package io.moonpool.transfer;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * A process stood in for by a Vert.x instance of its own, with transports and, if it serves, a
 * segment.
 */
final class Bed implements AutoCloseable {
  final Vertx vertx;
  final Transports transports;

  Bed(TransferConfig config, boolean nativeTransport) {
    vertx =
        Vertx.vertx(
            new VertxOptions().setPreferNativeTransport(nativeTransport).setEventLoopPoolSize(2));
    transports = await(Transports.start(vertx, config));
  }

  /** A region with a segment that peers can reach under that generation. */
  Segment segment(long bytes, long generation) {
    Segment segment = new Segment(transports.allocate(bytes), UUID.randomUUID(), generation);
    segment.peer =
        new PeerSegment(
            segment.id, generation, bytes, transports.register(segment.region, segment.id));
    if (generation != 0) {
      transports.activate(segment.id, generation);
    }
    return segment;
  }

  /** Runs on an event loop of this process. */
  <T> Future<T> onLoop(Callable<Future<T>> call) {
    return Future.future(
        promise ->
            vertx
                .getOrCreateContext()
                .runOnContext(
                    now -> {
                      try {
                        call.call().onComplete(promise);
                      } catch (Exception e) {
                        promise.fail(e);
                      }
                    }));
  }

  /** A deadline that no working transfer misses. */
  static long soon() {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
  }

  /** Puts from an event loop, and waits. */
  void put(MemorySegment local, PeerSegment segment, long offset) {
    await(onLoop(() -> transports.put(local, segment, offset, soon())));
  }

  /** Gets on an event loop into new memory of the arena, and waits. */
  MemorySegment get(Arena arena, PeerSegment segment, long offset, long bytes) {
    MemorySegment local = arena.allocate(bytes);
    await(onLoop(() -> transports.get(local, segment, offset, soon())));
    return local;
  }

  static <T> T await(Future<T> future) {
    try {
      return future.await(60, TimeUnit.SECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError("not completed in time", e);
    }
  }

  @Override
  public void close() {
    await(transports.close());
    await(vertx.close());
  }

  /** A registered segment. */
  final class Segment implements AutoCloseable {
    final Region region;
    final UUID id;
    final long generation;
    PeerSegment peer;

    Segment(Region region, UUID id, long generation) {
      this.region = region;
      this.id = id;
      this.generation = generation;
    }

    PeerSegment under(long otherGeneration) {
      return new PeerSegment(id, otherGeneration, peer.size(), peer.endpoints());
    }

    @Override
    public void close() {
      await(transports.unregister(id));
      region.close();
    }
  }
}
