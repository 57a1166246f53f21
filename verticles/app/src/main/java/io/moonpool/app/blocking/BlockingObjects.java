package io.moonpool.app.blocking;

import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.ObjectReader;
import io.moonpool.client.WriteOptions;
import io.moonpool.client.parts.LargeObjects;
import io.moonpool.client.parts.PartOptions;
import io.moonpool.client.parts.PartedUpload;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * Puts and gets objects of any size through a client of its own, piece by piece, straight from and
 * into a caller's buffer outside the heap. Calls block the calling thread; any number of threads
 * may call, each with a buffer of its own.
 */
public final class BlockingObjects implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final MoonpoolClient client;
  private final LargeObjects values;
  private final long pieceBytes;

  private BlockingObjects(MoonpoolClient client, PartOptions parts) {
    this.client = client;
    this.values = new LargeObjects(client, parts);
    this.pieceBytes = parts.partBytes();
  }

  /**
   * What a call moved.
   *
   * @param nanos the time spent in calls of the client; making and taking the bytes does not count
   */
  public record Moved(long bytes, long nanos) {}

  /** Connects a client. Throws a {@link StoreException} when there is no master. */
  public static BlockingObjects connect(Vertx vertx, ClientOptions options, PartOptions parts) {
    return new BlockingObjects(Await.result(MoonpoolClient.connect(vertx, options), LIMIT), parts);
  }

  /** The largest piece; what a buffer should hold, unless all objects are smaller. */
  public long pieceBytes() {
    return pieceBytes;
  }

  /** The client, for everything else. */
  public MoonpoolClient client() {
    return client;
  }

  /** Values of any size, for everything else. */
  public LargeObjects values() {
    return values;
  }

  /**
   * Stores an object. Throws a {@link StoreException} when that fails; nothing is visible then.
   *
   * @param upsert whether an object that is there is replaced
   * @param buffer of {@link #pieceBytes}, or of more than the object has
   */
  public Moved put(
      String key, PieceSource source, WriteOptions how, boolean upsert, MemorySegment buffer)
      throws IOException {
    MemorySegment whole = buffer.asSlice(0, Math.min(pieceBytes, buffer.byteSize()));
    long filled = source.piece(0, whole);
    MemorySegment first = whole.asSlice(0, filled);
    if (filled < pieceBytes) {
      return timed(
          filled, () -> upsert ? values.upsert(key, first, how) : values.put(key, first, how));
    }
    long startNanos = System.nanoTime();
    PartedUpload upload = Await.result(values.upload(key, how, upsert), LIMIT);
    long nanos = System.nanoTime() - startNanos;
    boolean finished = false;
    try {
      long offset = 0;
      while (filled > 0) {
        MemorySegment piece = whole.asSlice(0, filled);
        nanos += timed(filled, () -> upload.add(piece)).nanos();
        offset += filled;
        filled = filled < pieceBytes ? 0 : source.piece(offset, whole);
      }
      Moved last = timed(offset, upload::finish);
      finished = true;
      return new Moved(offset, nanos + last.nanos());
    } finally {
      if (!finished) {
        Await.result(upload.abort(), LIMIT);
      }
    }
  }

  /**
   * Reads an object. Throws a {@link StoreException} when that fails.
   *
   * @param buffer of at least {@link #pieceBytes}, or of as many bytes as the object has
   * @param sink takes the pieces
   */
  public Moved get(String key, MemorySegment buffer, PieceSink sink) throws IOException {
    long startNanos = System.nanoTime();
    ObjectReader reader = Await.result(values.open(key), LIMIT);
    long nanos = System.nanoTime() - startNanos;
    long step = Math.min(pieceBytes, buffer.byteSize());
    for (long offset = 0; offset < reader.size(); offset += step) {
      long at = offset;
      MemorySegment piece = buffer.asSlice(0, Math.min(step, reader.size() - offset));
      nanos += timed(piece.byteSize(), () -> reader.read(at, piece)).nanos();
      sink.piece(offset, piece);
    }
    return new Moved(reader.size(), nanos);
  }

  private static Moved timed(long bytes, Call call) {
    long startNanos = System.nanoTime();
    Await.result(call.start(), LIMIT);
    return new Moved(bytes, System.nanoTime() - startNanos);
  }

  @Override
  public void close() {
    Await.result(client.close(), LIMIT);
  }

  /** A call of the client. */
  private interface Call {
    Future<Void> start();
  }
}
