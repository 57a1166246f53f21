package io.moonpool.master.admin.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.master.admin.AdminFixture;
import io.moonpool.master.admin.AdminOptions;
import io.moonpool.master.admin.FakeMaster;
import io.moonpool.master.admin.RestCaller;
import io.moonpool.protocol.access.AccessToken;
import io.moonpool.protocol.access.AdminAddress;
import io.moonpool.protocol.bus.Addresses;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page of the dashboard, its files and its feed. */
@Timeout(60)
class DashboardTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final Pattern REFERENCE =
      Pattern.compile("(?:href|src)=\"([^#\"]+)\"|from '\\./([^']+)'");

  private static AdminFixture withToken() {
    return new AdminFixture(
        AdminOptions.of(
            new AdminAddress(
                "127.0.0.1", 0, Optional.of(AccessToken.of(TOKEN)), Optional.empty())));
  }

  @Test
  void thePageIsOpenAndTheDataIsNot() {
    try (AdminFixture admin = withToken()) {
      for (String path : List.of("/", "/dashboard", "/dashboard/app.js", "/dashboard/uplot.js")) {
        assertThat(admin.rest.get(path).status()).as(path).isEqualTo(200);
      }
      for (String path :
          List.of("/api/v1/events", "/api/v1/figures", "/api/v1/clients", "/api/v1/drain_jobs")) {
        assertThat(admin.rest.get(path).status()).as(path).isEqualTo(401);
      }
      assertThat(admin.rest.withToken(TOKEN).get("/api/v1/figures").status()).isEqualTo(200);
      assertThat(admin.rest.withToken(TOKEN).call("HEAD", "/api/v1/events").status())
          .isEqualTo(200);
    }
  }

  @Test
  void filesSayWhatTheyAreAndWhatThePageMayDo() {
    try (AdminFixture admin = new AdminFixture()) {
      assertThat(admin.rest.get("/").header("Content-Type")).isEqualTo("text/html; charset=utf-8");
      assertThat(admin.rest.get("/dashboard/style.css").header("Content-Type"))
          .isEqualTo("text/css; charset=utf-8");
      assertThat(admin.rest.get("/dashboard/app.js").header("Content-Type"))
          .isEqualTo("text/javascript; charset=utf-8");
      assertThat(admin.rest.get("/dashboard/icon.svg").header("Content-Type"))
          .isEqualTo("image/svg+xml");
      assertThat(admin.rest.get("/dashboard/uplot-licence.txt").response().body())
          .contains("MIT License", "Leon Sorokin");
      for (String path : List.of("/", "/dashboard", "/dashboard/app.js")) {
        RestCaller.Reply reply = admin.rest.get(path);
        assertThat(reply.header("Content-Security-Policy").split("; "))
            .contains(
                "default-src 'none'",
                "script-src 'self'",
                "style-src 'self'",
                "connect-src 'self'",
                "form-action 'none'",
                "frame-ancestors 'none'",
                "base-uri 'none'",
                "require-trusted-types-for 'script'")
            .noneMatch(rule -> rule.contains("unsafe") || rule.contains("*"));
        assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(reply.header("Referrer-Policy")).isEqualTo("no-referrer");
      }
    }
  }

  @Test
  void aBrowserKeepsFilesAndAsksWhetherTheyChanged() {
    try (AdminFixture admin = new AdminFixture()) {
      RestCaller.Reply page = admin.rest.get("/");
      assertThat(page.header("Cache-Control")).isEqualTo("no-cache");
      String tag = page.header("ETag");
      RestCaller.Reply same =
          admin.rest.send(admin.rest.request("/").header("If-None-Match", tag).GET());
      assertThat(same.status()).isEqualTo(304);
      assertThat(same.response().body()).isEmpty();
      assertThat(
              admin
                  .rest
                  .send(admin.rest.request("/").header("If-None-Match", "\"other\"").GET())
                  .status())
          .isEqualTo(200);
      assertThat(admin.rest.get("/dashboard/app.js").header("ETag")).isNotEqualTo(tag);
      assertThat(admin.rest.get("/api/v1/figures").header("Cache-Control")).isEqualTo("no-store");
    }
  }

  @Test
  void allThatThePageRefersToIsServedHere() {
    try (AdminFixture admin = new AdminFixture()) {
      Set<String> seen = new HashSet<>();
      Deque<String> left = new ArrayDeque<>(List.of("/"));
      while (!left.isEmpty()) {
        String path = left.remove();
        if (!seen.add(path)) {
          continue;
        }
        RestCaller.Reply reply = admin.rest.get(path);
        assertThat(reply.status()).as(path).isEqualTo(200);
        Matcher references = REFERENCE.matcher(reply.response().body());
        while (references.find() && !path.endsWith("uplot.js")) {
          left.add(
              references.group(1) == null
                  ? "/dashboard/" + references.group(2)
                  : "/" + references.group(1));
        }
      }
      assertThat(seen)
          .contains("/dashboard/uplot.js", "/dashboard/dialogs.js")
          .hasSizeGreaterThan(12);
    }
  }

  @Test
  void whatIsNotOfThePageIsNotServed() {
    try (AdminFixture admin = withToken()) {
      for (String path :
          List.of(
              "/dashboard/",
              "/dashboard/none.js",
              "/dashboard/..%2Fopenapi.yaml",
              "/dashboard/%2E%2E%2Fopenapi.yaml",
              "/dashboard/Asset.class")) {
        assertThat(admin.rest.get(path).status()).as(path).isEqualTo(404);
      }
      assertThat(admin.rest.get("/dashboard/a/b").status()).isEqualTo(401);
    }
  }

  @Test
  void pagesOfOtherSitesChangeNothing() {
    try (AdminFixture admin = new AdminFixture()) {
      for (String site : List.of("cross-site", "same-site")) {
        RestCaller.Reply refused = drain(admin, site);
        assertThat(refused.status()).as(site).isEqualTo(403);
        assertThat(refused.message()).contains("another site");
      }
      assertThat(admin.drains.requests).isEmpty();
      assertThat(drain(admin, "same-origin").status()).isEqualTo(201);
    }
  }

  private static RestCaller.Reply drain(AdminFixture admin, String site) {
    return admin.rest.send(
        admin
            .rest
            .request("/api/v1/drain_jobs")
            .header("Sec-Fetch-Site", site)
            .POST(BodyPublishers.ofString("{\"node\":\"a\"}")));
  }

  /** A reader of the feed, as a browser is. */
  private static final class Feed implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;

    Feed(int port) throws IOException {
      socket = new Socket("127.0.0.1", port);
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(
              "GET /api/v1/events HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** The data of the next event of that name. */
    JsonObject next(String name) throws IOException {
      List<String> others = new ArrayList<>();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals("event: " + name)) {
          return new JsonObject(in.readLine().substring("data: ".length()));
        }
        others.add(line);
      }
      throw new AssertionError("the stream ended before " + name + ": " + others);
    }

    /** Reads until the stream breaks or enough came, and counts the events of a name. */
    int eventsUntilTheEnd(String name, int enough) {
      int count = 0;
      try {
        for (String line = in.readLine(); line != null && count < enough; line = in.readLine()) {
          count += line.equals("event: " + name) ? 1 : 0;
        }
      } catch (IOException e) {
        // That is how a connection ends which the other side has reset.
      }
      return count;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void theFeedTellsHowThePoolIsAndWhatHappens() throws Exception {
    try (AdminFixture admin = new AdminFixture();
        Feed feed = new Feed(admin.port)) {
      JsonObject hello = feed.next("hello");
      assertThat(hello.getString("cluster_id")).isNotEmpty();
      assertThat(hello.getJsonArray("events")).isEmpty();
      assertThat(feed.next("clients").getJsonArray("clients").getJsonObject(0).getString("node_id"))
          .isEqualTo(FakeMaster.NODE.toString());
      JsonObject segment = feed.next("segments").getJsonArray("segments").getJsonObject(0);
      assertThat(segment.getString("id")).isEqualTo(FakeMaster.SEGMENT.toString());
      assertThat(segment.containsKey("endpoints")).isFalse();
      assertThat(feed.next("figures").getLong("objects")).isEqualTo(1_001);

      publish(admin, Addresses.CLIENT_EVENTS, new JsonObject().put("event", "liveness"));
      JsonObject liveness = feed.next("client");
      assertThat(liveness.getString("event")).isEqualTo("liveness");
      assertThat(liveness.getLong("at_ms")).isPositive();
      publish(
          admin,
          Addresses.DRAIN_EVENTS,
          new JsonObject()
              .put("event", "progress")
              .put("job", new JsonObject().put("job_id", "j")));
      assertThat(feed.next("drain").getJsonObject("job").getString("job_id")).isEqualTo("j");

      try (Feed late = new Feed(admin.port)) {
        List<String> remembered =
            late.next("hello").getJsonArray("events").stream()
                .map(event -> ((JsonObject) event).getJsonObject("data").getString("event"))
                .toList();
        assertThat(remembered).as("progress is not news").containsExactly("liveness");
      }
    }
  }

  private static boolean isRemembered(AdminFixture admin, String event) throws IOException {
    try (Feed feed = new Feed(admin.port)) {
      return feed.next("hello").getJsonArray("events").stream()
          .anyMatch(
              each -> ((JsonObject) each).getJsonObject("data").getString("event").equals(event));
    }
  }

  private static void publish(AdminFixture admin, String address, JsonObject body) {
    admin.vertx.eventBus().publish(address, body);
  }

  @Test
  void whoDoesNotReadIsDisconnected() throws Exception {
    int published = 4_000;
    try (AdminFixture admin = new AdminFixture();
        Feed feed = new Feed(admin.port)) {
      feed.next("hello");
      // More than sockets hold for somebody who does not take it.
      String filler = "x".repeat(10_000);
      for (int i = 0; i < published; i++) {
        publish(
            admin,
            Addresses.CLIENT_EVENTS,
            new JsonObject().put("event", "liveness").put("filler", filler));
      }
      publish(admin, Addresses.CLIENT_EVENTS, new JsonObject().put("event", "last"));
      await().atMost(Duration.ofSeconds(30)).until(() -> isRemembered(admin, "last"));
      assertThat(feed.eventsUntilTheEnd("client", published)).isLessThan(published);
    }
  }

  @Test
  void ownersOfStateAreAskedOnlyWhileSomebodyWatches() throws Exception {
    try (AdminFixture admin = new AdminFixture()) {
      try (Feed feed = new Feed(admin.port)) {
        feed.next("clients");
        feed.next("clients");
      }
      int[] asked = {-1};
      await()
          .during(Duration.ofMillis(2_500))
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> {
                int before = asked[0];
                asked[0] = admin.master.clientListings();
                return before == asked[0];
              });
      assertThat(asked[0]).isPositive();
    }
  }
}
