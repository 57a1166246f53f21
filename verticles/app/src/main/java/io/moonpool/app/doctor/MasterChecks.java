package io.moonpool.app.doctor;

import io.moonpool.app.blocking.Await;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.call.HelloAnswer;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.vertx.core.Vertx;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Whether the master's ports can be reached from here, and how far the clocks are apart. */
final class MasterChecks {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final int LIMIT_MILLIS = 5_000;
  private static final String PORTS = "master";
  private static final String CLOCK = "clock";

  /** Tokens and logs go wrong by that; nothing of the pool's own depends on clocks agreeing. */
  private static final double MOST_SECONDS = 1;

  private final String host;
  private final int port;
  private final int httpPort;

  MasterChecks(String host, int port, int httpPort) {
    this.host = host;
    this.port = port;
    this.httpPort = httpPort;
  }

  /** What there is to say when no master was named. */
  static List<Finding> notLooked() {
    return List.of(
        Finding.note(PORTS, "not looked at", "name it with --master HOST:PORT"),
        Finding.note(CLOCK, "not looked at", "name the master with --master HOST:PORT"));
  }

  List<Finding> look() {
    return List.of(ports(), clock());
  }

  private Finding ports() {
    Vertx vertx = Vertx.vertx();
    try {
      FrameClient frames = FrameClient.create(vertx, FrameClientOptions.of(host, port));
      HelloAnswer hello =
          Await.result(
              frames.call(Calls.HELLO, new Hello(Hello.VERSION, "moonpool-doctor"), LIMIT_MILLIS),
              LIMIT);
      String found =
          String.format(
              Locale.ROOT,
              "%s:%d is cluster '%s', version %s; heartbeats on %d",
              host,
              port,
              hello.clusterId(),
              hello.serverVersion(),
              hello.heartbeatPort());
      String refused = refusal(hello.heartbeatPort());
      return refused == null
          ? Finding.ok(PORTS, found)
          : Finding.warn(
              PORTS,
              found + ", which cannot be reached: " + refused,
              "open it in the firewall: pings go to the main port meanwhile, behind other calls");
    } catch (StoreException e) {
      return Finding.fail(
          PORTS,
          host + ":" + port + ": " + e.getMessage(),
          "start the master, open the port, or name another with --master; a master with TLS is not"
              + " asked");
    } finally {
      vertx.close();
    }
  }

  private @Nullable String refusal(int heartbeatPort) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, heartbeatPort), LIMIT_MILLIS);
      return null;
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private Finding clock() {
    String where = "http://" + host + ":" + httpPort + "/health/live";
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(LIMIT).build()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(where)).timeout(LIMIT).build();
      long startNanos = System.nanoTime();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      long ownMillis = System.currentTimeMillis();
      double tookMillis = (System.nanoTime() - startNanos) / 1e6;
      Long master = new JsonObject(answer.body()).getLong("time_ms");
      if (master == null) {
        return Finding.note(CLOCK, where + " tells no time", "upgrade the master");
      }
      double seconds = (ownMillis - tookMillis / 2 - master) / TimeUnit.SECONDS.toMillis(1);
      String found =
          String.format(
              Locale.ROOT,
              "%.3f s %s the master's, known to %.3f s",
              Math.abs(seconds),
              seconds < 0 ? "behind" : "ahead of",
              tookMillis / 2_000);
      return Math.abs(seconds) <= MOST_SECONDS
          ? Finding.ok(CLOCK, found)
          : Finding.warn(
              CLOCK,
              found,
              "let chrony or ntpd set both: leases do not need it, but logs and certificates do");
    } catch (IOException | IllegalArgumentException | DecodeException e) {
      return Finding.note(
          CLOCK,
          where + " does not answer: " + e,
          "the admin port may be on loopback only: name it with --admin-port, or look on the master's machine");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Finding.note(CLOCK, "interrupted", "");
    }
  }
}
