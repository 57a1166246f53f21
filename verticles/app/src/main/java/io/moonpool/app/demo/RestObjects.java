package io.moonpool.app.demo;

import io.moonpool.app.blocking.PieceSink;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Gets objects over a node's REST interface. Calls block the lane. */
final class RestObjects {
  private static final int CHUNK_BYTES = 256 << 10;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(LIMIT).build();

  /** Where an object is on a node. */
  static URI uri(String nodeUrl, String key) {
    return URI.create(
        nodeUrl
            + "/v1/objects/"
            + URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20"));
  }

  /**
   * Reads an object.
   *
   * @param sink takes the bytes, in order
   * @return the time spent waiting for and reading the answer
   * @throws DemoFailure when the answer is no success
   */
  long get(String nodeUrl, DemoObject object, MemorySegment buffer, PieceSink sink) {
    URI uri = uri(nodeUrl, object.key());
    try {
      long startNanos = System.nanoTime();
      HttpResponse<InputStream> answer =
          http.send(
              HttpRequest.newBuilder(uri).timeout(LIMIT).build(),
              HttpResponse.BodyHandlers.ofInputStream());
      long nanos = System.nanoTime() - startNanos;
      try (InputStream body = answer.body()) {
        if (answer.statusCode() != 200) {
          String text = new String(body.readNBytes(1024), StandardCharsets.UTF_8);
          throw new DemoFailure("GET " + uri + " answered " + answer.statusCode() + ": " + text);
        }
        return nanos + read(body, buffer, sink);
      }
    } catch (IOException e) {
      throw new DemoFailure("GET " + uri + " failed: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DemoFailure("GET " + uri + " was interrupted");
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
