package io.moonpool.master.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the HTTP interface says to requests that are wrong. */
class WrongInputTest {
  private AdminFixture admin;
  private RestCaller rest;

  @BeforeEach
  void start() {
    admin = new AdminFixture();
    rest = admin.rest;
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  @Test
  void refusesBodiesThatAreNoJsonObject() {
    for (String body : List.of("{", "[]", "1", "\"x\"", "null", "{\"all\":}", "\u0000", "{} {}")) {
      RestCaller.Reply reply = rest.post("/api/v1/object-removals", body);
      assertThat(reply.status()).as(body).isEqualTo(400);
      assertThat(reply.error()).as(body).isEqualTo("INVALID_PARAMS");
      assertThat(reply.json().getInteger("code")).isEqualTo(-600);
    }
  }

  @Test
  void namesTheFieldThatIsWrong() {
    Map<String, String> wrong =
        Map.of(
            "{\"alle\":true}", "unknown field alle",
            "{\"all\":\"true\"}", "field all must be true or false",
            "{\"prefix\":7}", "field prefix must be a text",
            "{\"tenant\":[],\"all\":true}", "field tenant must be a text");
    wrong.forEach(
        (body, message) -> {
          RestCaller.Reply reply = rest.post("/api/v1/object-removals", body);
          assertThat(reply.status()).as(body).isEqualTo(400);
          assertThat(reply.message()).startsWith(message);
        });
  }

  @Test
  void namesTheParameterThatIsWrong() {
    Map<String, String> wrong =
        Map.of(
            "limit=0",
            "parameter limit must be a whole number from 1 to 1000",
            "limit=1001",
            "parameter limit must be",
            "limit=ten",
            "parameter limit must be",
            "limit=1&limit=2",
            "parameter limit is given 2 times",
            "cursor=-1",
            "parameter cursor must be",
            "prefx=a",
            "unknown query parameter prefx: this path takes tenant, prefix",
            "prefix=a&pattern=b",
            "pattern and prefix exclude each other",
            "prefix=" + "a".repeat(4_097),
            "prefix is longer than 4096 characters");
    wrong.forEach(
        (query, message) -> {
          RestCaller.Reply reply = rest.get("/api/v1/objects?" + query);
          assertThat(reply.status()).as(query).isEqualTo(400);
          assertThat(reply.error()).isEqualTo("INVALID_PARAMS");
          assertThat(reply.message()).startsWith(message);
        });
  }

  @Test
  void refusesBrokenPatterns() {
    assertThat(rest.get("/api/v1/objects?pattern=%28").error()).isEqualTo("INVALID_PARAMS");
    assertThat(rest.post("/api/v1/object-removals", "{\"pattern\":\"(\"}").error())
        .isEqualTo("INVALID_PARAMS");
  }

  @Test
  void refusesBrokenPaths() throws Exception {
    for (String path :
        List.of(
            "/api/v1/objects/%",
            "/api/v1/objects/%4", "/api/v1/objects/%zz", "/api/v1/objects/%FF")) {
      String answer = raw("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      assertThat(answer).as(path).startsWith("HTTP/1.1 400").contains("INVALID_PARAMS");
    }
    assertThat(rest.get("/api/v1/objects/").error()).isEqualTo("INVALID_KEY");
    assertThat(rest.get("/api/v1/segments/1-2-3-4-5").message())
        .isEqualTo("parameter segment_id must be a UUID of 36 characters");
    assertThat(rest.get("/api/v1/clients/x").status()).isEqualTo(400);
  }

  @Test
  void answersUnknownPathsAndMethodsWithJson() {
    RestCaller.Reply unknown = rest.get("/api/v1/objects/a/b");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.error()).isEqualTo("NOT_SUPPORTED");
    assertThat(unknown.message()).contains("%2F");
    assertThat(rest.get("/api").status()).isEqualTo(404);
    assertThat(rest.get("/api/v1/objects?x").status()).isEqualTo(400);

    RestCaller.Reply wrong = rest.call("PUT", "/api/v1/objects/a");
    assertThat(wrong.status()).isEqualTo(405);
    assertThat(wrong.header("Allow")).isEqualTo("DELETE, GET, HEAD");
    assertThat(wrong.error()).isEqualTo("NOT_SUPPORTED");
    assertThat(rest.call("BREW", "/metrics").status()).isEqualTo(405);
  }

  @Test
  void answersHeadWithoutBody() {
    admin.master.with("a");
    RestCaller.Reply head = rest.call("HEAD", "/api/v1/objects/a");
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.response().body()).isEmpty();
    assertThat(Integer.parseInt(head.header("Content-Length")))
        .isEqualTo(rest.get("/api/v1/objects/a").response().body().length());
    assertThat(rest.call("HEAD", "/api/v1/objects/none").status()).isEqualTo(404);
  }

  @Test
  void refusesBodiesBeyondTheLimit() throws Exception {
    String tooLarge = "{\"prefix\":\"" + "a".repeat(1 << 20) + "\"}";
    for (HttpClient.Version version : HttpClient.Version.values()) {
      HttpRequest.BodyPublisher announced = HttpRequest.BodyPublishers.ofString(tooLarge);
      for (HttpRequest.BodyPublisher body :
          List.of(announced, HttpRequest.BodyPublishers.fromPublisher(announced))) {
        RestCaller.Reply reply =
            rest.send(rest.request("/api/v1/object-removals").version(version).POST(body));
        assertThat(reply.status()).as(version.toString()).isEqualTo(413);
        assertThat(reply.message()).isEqualTo("the body is larger than 1048576 bytes: send less");
        assertThat(rest.get("/health/live").status()).isEqualTo(200);
      }
    }
  }

  @Test
  void refusesRequestsThatAreTooLongOrNoHttp() throws Exception {
    assertThat(raw("GET /" + "a".repeat(300_000) + " HTTP/1.1\r\nHost: x\r\n\r\n"))
        .startsWith("HTTP/1.0 414")
        .contains("the request line is too long");
    assertThat(raw("GET / HTTP/1.1\r\nHost: x\r\nX: " + "a".repeat(30_000) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431")
        .contains("the headers are too long");
    assertThat(raw("hello\r\n\r\n")).startsWith("HTTP/1.0 400").contains("not an HTTP request");
  }

  @Test
  void callsOneKeySeveralTimesOnOneConnection() throws Exception {
    // A refused request must leave the connection in step with the next one.
    String answers =
        raw(
            "POST /api/v1/object-removals HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n{a}"
                + "GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assertThat(answers).startsWith("HTTP/1.1 400").contains("HTTP/1.1 200").contains("\"up\"");
  }

  @Test
  void internalFaultsShowNothingOfTheInside() {
    admin.master.holdList().fail(new IllegalStateException("secret detail"));
    RestCaller.Reply reply = rest.get("/api/v1/objects");
    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.json())
        .isEqualTo(
            new JsonObject()
                .put("error", "INTERNAL_ERROR")
                .put("code", -1)
                .put(
                    "message",
                    "internal fault: this is a bug or an overload: see the log of the process that"
                        + " answered"));
  }

  private String raw(String request) throws Exception {
    try (Socket socket = new Socket("127.0.0.1", admin.port)) {
      socket.setSoTimeout(20_000);
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
