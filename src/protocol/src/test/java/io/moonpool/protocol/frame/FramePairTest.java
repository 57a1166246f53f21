package io.moonpool.protocol.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.Ping;
import io.moonpool.protocol.call.PingAnswer;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PfxOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Client and server together: in bulk, over TLS, and with a server on plain Netty. */
class FramePairTest {
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void stop() throws Exception {
    Frames.await(vertx.close());
  }

  private static FrameDispatcher pings() {
    return FrameDispatcher.builder()
        .on(
            Calls.PING,
            ping -> Future.succeededFuture(new PingAnswer(ping.sequence(), PingStatus.OK, 7, 8)))
        .build();
  }

  private static void assertManyCalls(FrameClient client, int calls) throws Exception {
    List<Future<PingAnswer>> answers = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      answers.add(client.call(Calls.PING, new Ping(0, 0, i)));
    }
    Frames.await(Future.all(answers));
    for (int i = 0; i < calls; i++) {
      assertThat(answers.get(i).result().sequence()).isEqualTo(i);
    }
    assertThat(client.counters().get(FrameCounter.IN_FLIGHT)).isZero();
    assertThat(client.counters().get(FrameCounter.CONNECTIONS_OPENED)).isEqualTo(1);
  }

  @Test
  void tenThousandCallsFromSeveralThreads() throws Exception {
    FrameServer server =
        Frames.await(FrameServer.listen(vertx, Frames.loopback(), pings(), FrameLimits.DEFAULT));
    FrameClient client =
        FrameClient.create(vertx, FrameClientOptions.of("127.0.0.1", server.port()));
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler(
                  (thread, failure) -> {
                    synchronized (failures) {
                      failures.add(failure);
                    }
                  })
              .start(
                  () -> {
                    for (int call = 0; call < 2_500; call++) {
                      long sequence = call;
                      assertThat(client.call(Calls.PING, new Ping(0, 0, sequence)).await())
                          .isEqualTo(new PingAnswer(sequence, PingStatus.OK, 7, 8));
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    assertThat(server.counters().get(FrameCounter.FRAMES_OUT)).isEqualTo(10_000);
  }

  @Test
  void tenThousandCallsPipelined() throws Exception {
    FrameServer server =
        Frames.await(FrameServer.listen(vertx, Frames.loopback(), pings(), FrameLimits.DEFAULT));
    FrameClient client =
        FrameClient.create(vertx, FrameClientOptions.of("127.0.0.1", server.port()));

    assertManyCalls(client, 10_000);
  }

  @Test
  void tls(@TempDir Path directory) throws Exception {
    String store = directory.resolve("server.p12").toString();
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "server",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store,
                "-storepass",
                "password")
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    PfxOptions keys = new PfxOptions().setPath(store).setPassword("password");
    NetServerOptions options = Frames.loopback().setSsl(true).setKeyCertOptions(keys);
    FrameServer server =
        Frames.await(FrameServer.listen(vertx, options, pings(), FrameLimits.DEFAULT));
    NetClientOptions trusting =
        new NetClientOptions()
            .setSsl(true)
            .setTrustOptions(keys)
            .setHostnameVerificationAlgorithm("HTTPS");
    FrameClientOptions to = FrameClientOptions.of("localhost", server.port());

    assertManyCalls(FrameClient.create(vertx, to.withNet(trusting)), 2_000);

    FrameClient plain = FrameClient.create(vertx, to.withCallTimeoutMillis(500));
    assertThat(plain.call(Calls.PING, new Ping(0, 0, 0)).toCompletionStage())
        .failsWithin(Duration.ofSeconds(20));
  }

  @Test
  void serverOnPlainNetty() throws Exception {
    FrameCounters counters = new FrameCounters();
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      Channel server =
          new ServerBootstrap()
              .group(group)
              .channel(NioServerSocketChannel.class)
              .childHandler(
                  new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      channel
                          .pipeline()
                          .addLast(
                              new FrameServerHandler(pings(), FrameLimits.DEFAULT, counters, null));
                    }
                  })
              .bind("127.0.0.1", 0)
              .sync()
              .channel();
      int port = ((InetSocketAddress) server.localAddress()).getPort();

      assertManyCalls(FrameClient.create(vertx, FrameClientOptions.of("127.0.0.1", port)), 2_000);
      assertThat(counters.get(FrameCounter.FRAMES_IN)).isEqualTo(2_000);
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
  }
}
