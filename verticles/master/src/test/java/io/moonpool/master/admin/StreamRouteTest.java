package io.moonpool.master.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.access.AdminAddress;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that are written piece by piece. */
@Timeout(60)
class StreamRouteTest {
  private static final int PIECE = 64 << 10;

  private final AtomicInteger asked = new AtomicInteger();
  private AdminFixture admin;

  @AfterEach
  void stop() {
    admin.close();
  }

  /** Serves what the function makes of the number of each piece, from 0. */
  private void serve(IntFunction<Future<Buffer>> pieces) {
    StreamRoute route =
        new StreamRoute() {
          @Override
          public HttpMethod method() {
            return HttpMethod.GET;
          }

          @Override
          public String path() {
            return "/pieces";
          }

          @Override
          public Pieces open(RouteRequest request) {
            return new Pieces() {
              @Override
              public String contentType() {
                return "text/pieces";
              }

              @Override
              public Future<Buffer> next() {
                return pieces.apply(asked.getAndIncrement());
              }
            };
          }

          @Override
          public Optional<Answer> refused(StoreException failure) {
            return failure.code() == ErrorCode.INVALID_KEY
                ? Optional.of(new Answer(418, "text/own", Buffer.buffer("own words")))
                : Optional.empty();
          }
        };
    admin =
        new AdminFixture(
            AdminOptions.of(AdminAddress.loopback(0)),
            new AdminAddition(List.of(route), (stats, segments) -> "more_metrics 1\n"));
  }

  private HttpResponse<String> call(String method) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + admin.port + "/pieces"))
              .timeout(Duration.ofSeconds(30))
              .method(method, HttpRequest.BodyPublishers.noBody())
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private static Future<Buffer> text(String text) {
    return Future.succeededFuture(Buffer.buffer(text));
  }

  @Test
  void piecesAreOneAnswer() throws Exception {
    serve(i -> text(i < 3 ? "piece-" + i + "\n" : ""));
    HttpResponse<String> answer = call("GET");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("text/pieces");
    assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(answer.body()).isEqualTo("piece-0\npiece-1\npiece-2\n");
  }

  /** They are at hand at once: no stack grows with them. */
  @Test
  void thereMayBeAnyNumberOfThem() throws Exception {
    int pieces = 50_000;
    serve(i -> text(i < pieces ? "x" : ""));
    assertThat(call("GET").body()).hasSize(pieces);
  }

  @Test
  void anAnswerMayHaveNone() throws Exception {
    serve(i -> text(""));
    HttpResponse<String> answer = call("GET");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void headersAloneAskForNone() throws Exception {
    serve(i -> text("piece"));
    HttpResponse<String> answer = call("HEAD");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("text/pieces");
    assertThat(asked).hasValue(0);
  }

  @Test
  void theFirstPieceDecidesAboutTheStatus() throws Exception {
    serve(i -> Future.failedFuture(new StoreException(ErrorCode.OBJECT_NOT_FOUND)));
    HttpResponse<String> answer = call("GET");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(new JsonObject(answer.body()).getString("error")).isEqualTo("OBJECT_NOT_FOUND");
  }

  @Test
  void aRouteMayRefuseInItsOwnWords() throws Exception {
    serve(i -> Future.failedFuture(new StoreException(ErrorCode.INVALID_KEY)));
    HttpResponse<String> answer = call("GET");
    assertThat(answer.statusCode()).isEqualTo(418);
    assertThat(answer.body()).isEqualTo("own words");
  }

  /** Nobody takes half of an answer for all of it. */
  @Test
  void whatFailsLaterCutsTheAnswerOff() {
    serve(
        i ->
            i < 3
                ? text("piece")
                : Future.failedFuture(new StoreException(ErrorCode.KEYS_ULTRA_LIMIT)));
    assertThatThrownBy(() -> call("GET")).isInstanceOf(IOException.class);
  }

  /** Pieces without end: as many are made as fit what the kernel keeps, then none. */
  @Test
  void whoDoesNotReadIsNotWrittenForAndWhoGoesEndsIt() throws Exception {
    Buffer piece = Buffer.buffer(new byte[PIECE]);
    serve(i -> Future.succeededFuture(piece));
    try (Socket slow = new Socket()) {
      slow.setReceiveBufferSize(4_096);
      slow.connect(new InetSocketAddress("127.0.0.1", admin.port), 5_000);
      slow.getOutputStream()
          .write("GET /pieces HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      await().until(() -> asked.get() > 0);
      AtomicInteger last = new AtomicInteger(-1);
      await()
          .pollInterval(Duration.ofMillis(300))
          .atMost(Duration.ofSeconds(30))
          .until(() -> last.getAndSet(asked.get()) == asked.get());
      int stuck = asked.get();
      // It goes on from there when some of it is read.
      slow.getInputStream().readNBytes(64 * PIECE);
      await().until(() -> asked.get() > stuck);
    }
    AtomicInteger last = new AtomicInteger(-1);
    await()
        .pollInterval(Duration.ofMillis(300))
        .atMost(Duration.ofSeconds(30))
        .until(() -> last.getAndSet(asked.get()) == asked.get());
  }

  @Test
  void metricsOfAnotherProtocolFollowTheMastersOwn() {
    serve(i -> text(""));
    assertThat(admin.rest.get("/metrics").response().body())
        .contains("moonpool_objects")
        .endsWith("\nmore_metrics 1\n");
  }
}
