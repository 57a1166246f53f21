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
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Whether the master's ports can be reached from here, and how far the clocks are apart. */
final class MasterChecks {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final int LIMIT_MILLIS = 10_000;
  private static final String PORTS = "master";
  private static final String CLOCK = "clock";

  /** Tokens and logs go wrong by that; nothing of the pool's own depends on clocks agreeing. */
  private static final double MOST_SECONDS = 1;

  private final Doctor.Master master;

  MasterChecks(Doctor.Master master) {
    this.master = master;
  }

  /** What there is to say when no master was named. */
  static List<Finding> notLooked() {
    return List.of(
        Finding.note(PORTS, "not looked at", "name it with --master HOST:PORT"),
        Finding.note(CLOCK, "not looked at", "name the master with --master HOST:PORT"));
  }

  List<Finding> look() {
    Path ca = master.tlsCa();
    Certificates trusted = null;
    if (ca != null) {
      try {
        trusted = Certificates.read(ca);
      } catch (IOException | GeneralSecurityException e) {
        return List.of(
            Finding.fail(
                PORTS,
                "not asked: " + ca.toAbsolutePath() + " cannot be read: " + e.getMessage(),
                "name a PEM file with the certificates to trust with --master-tls-ca"),
            Finding.note(CLOCK, "not looked at", "it needs the certificates, too"));
      }
    }
    return List.of(ports(trusted), clock(trusted));
  }

  private Finding ports(@Nullable Certificates trusted) {
    String host = master.host();
    int port = master.port();
    Vertx vertx = Vertx.vertx();
    try {
      FrameClientOptions options = FrameClientOptions.of(host, port);
      FrameClient frames =
          FrameClient.create(vertx, trusted == null ? options : options.withNet(trusted.net()));
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
      String refused = refusal(hello.heartbeatPort(), trusted);
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
          trusted == null
              ? "start the master, open the port, or name another with --master; one with TLS is asked"
                  + " with --master-tls-ca"
              : "start the master, open the port, or name another with --master; its certificate must"
                  + " be for that name or address, and be trusted by --master-tls-ca; one without TLS"
                  + " is asked without it");
    } finally {
      vertx.close();
    }
  }

  /** Why the port of heartbeats cannot be used; null when it can. */
  private @Nullable String refusal(int heartbeatPort, @Nullable Certificates trusted) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(master.host(), heartbeatPort), LIMIT_MILLIS);
      if (trusted != null) {
        socket.setSoTimeout(LIMIT_MILLIS);
        trusted.greet(socket, master.host(), heartbeatPort);
      }
      return null;
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private Finding clock(@Nullable Certificates trusted) {
    String scheme = trusted == null ? "http://" : "https://";
    String where = scheme + master.host() + ":" + master.httpPort() + "/health/live";
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(LIMIT);
    if (trusted != null) {
      builder.sslContext(trusted.context());
    }
    try (HttpClient http = builder.build()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(where)).timeout(LIMIT).build();
      // The second answer is measured: the first may have made a connection, and a handshake.
      http.send(request, HttpResponse.BodyHandlers.discarding());
      long startNanos = System.nanoTime();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      long ownMillis = System.currentTimeMillis();
      double tookMillis = (System.nanoTime() - startNanos) / 1e6;
      Long masterMillis = new JsonObject(answer.body()).getLong("time_ms");
      if (masterMillis == null) {
        return Finding.note(CLOCK, where + " tells no time", "upgrade the master");
      }
      double seconds = (ownMillis - tookMillis / 2 - masterMillis) / TimeUnit.SECONDS.toMillis(1);
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
