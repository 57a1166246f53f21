package io.moonpool.app.demo;

import io.moonpool.app.blocking.PieceSink;
import io.moonpool.app.drain.MasterRest;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Gets objects over a node's REST interface, on kept connections. Calls block the lane. */
final class RestObjects {
  private static final int CHUNK_BYTES = 256 << 10;
  private static final int ERROR_BYTES = 1_024;
  private static final int LIMIT_MILLIS = 60_000;

  private RestObjects() {}

  /** Where an object is on a node. */
  static URI uri(String nodeUrl, String key) {
    return URI.create(nodeUrl + "/v1/objects/" + MasterRest.encoded(key));
  }

  /**
   * Reads an object.
   *
   * @param sink takes the bytes, in order
   * @return the time spent waiting for and reading the answer
   * @throws DemoFailure when the answer is no success
   */
  static long get(String nodeUrl, DemoObject object, MemorySegment buffer, PieceSink sink) {
    URI uri = uri(nodeUrl, object.key());
    try {
      long startNanos = System.nanoTime();
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
      connection.setConnectTimeout(LIMIT_MILLIS);
      connection.setReadTimeout(LIMIT_MILLIS);
      int status = connection.getResponseCode();
      long nanos = System.nanoTime() - startNanos;
      if (status != HttpURLConnection.HTTP_OK) {
        throw new DemoFailure("GET " + uri + " answered " + status + ": " + text(connection));
      }
      try (InputStream body = connection.getInputStream()) {
        return nanos + read(body, buffer, sink);
      }
    } catch (IOException e) {
      throw new DemoFailure("GET " + uri + " failed: " + e);
    }
  }

  private static String text(HttpURLConnection connection) throws IOException {
    try (@Nullable InputStream body = connection.getErrorStream()) {
      return body == null
          ? ""
          : new String(body.readNBytes(ERROR_BYTES), StandardCharsets.UTF_8).strip();
    }
  }

  private static long read(InputStream body, MemorySegment buffer, PieceSink sink)
      throws IOException {
    byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, buffer.byteSize())];
    MemorySegment heap = MemorySegment.ofArray(chunk);
    long nanos = 0;
    long offset = 0;
    while (true) {
      long startNanos = System.nanoTime();
      int read = body.readNBytes(chunk, 0, chunk.length);
      nanos += System.nanoTime() - startNanos;
      if (read == 0) {
        return nanos;
      }
      MemorySegment piece = buffer.asSlice(0, read);
      piece.copyFrom(heap.asSlice(0, read));
      sink.piece(offset, piece);
      offset += read;
    }
  }
}
