package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.master.admin.AdminFixture;
import io.moonpool.master.request.TestCertificate;
import io.moonpool.protocol.grpc.NamedRequest;
import io.moonpool.protocol.grpc.ObjectsGrpcClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.PoolOptions;
import io.vertx.grpc.client.GrpcClient;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class RehearsalTest {
  @TempDir Path folder;

  private static void assertComplete(MasterStats.Snapshot played) {
    // A call that is new has to be rehearsed, too.
    for (MasterCall call : MasterCall.values()) {
      assertThat(played.calls().get(call).requests()).as("calls of %s", call).isPositive();
    }
    assertThat(played.pings()).isPositive();
    assertThat(played.evictedObjects())
        .as("objects evicted: enough that what evicts them is compiled")
        .isGreaterThan(20_000);
    assertThat(played.drains().succeededJobs()).as("drains that moved all").isPositive();
    assertThat(played.drains().succeededUnits()).isPositive();
    assertThat(played.suspectedTransitions()).isPositive();
    assertThat(played.recoveries()).isPositive();
    assertThat(played.offlineTransitions()).isPositive();
    assertThat(played.objects()).as("objects that outlive their segments").isZero();
    assertThat(played.memoryCapacityBytes()).isZero();
  }

  @Test
  void makesEveryCallAndEveryStepOfLiveness() throws Exception {
    assertComplete(Rehearsal.play(MasterConfig.builder().metadataLoops(3).build()));
  }

  @Test
  void speaksTlsWhenTheMasterDoes() throws Exception {
    TestCertificate certificate = TestCertificate.create(folder);
    assertComplete(
        Rehearsal.play(
            MasterConfig.builder()
                .metadataLoops(1)
                .tlsCert(certificate.certificate().toString())
                .tlsKey(certificate.key().toString())
                .build()));
  }

  @Test
  void itsGrpcCallsArriveOverTls() throws Exception {
    TestCertificate certificate = TestCertificate.create(folder);
    try (WholeMaster whole =
        WholeMaster.start(
            MasterConfig.builder()
                .metadataLoops(1)
                .tlsCert(certificate.certificate().toString())
                .tlsKey(certificate.key().toString()))) {
      HttpClientOptions net =
          new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false);
      NamedRequest named = NamedRequest.newBuilder().setKey("none").build();
      for (int i = 0; i < 20; i++) {
        // Both kinds of clients are made of the same options.
        await(RehearsedInterfaces.httpClient(whole.test().master().vertx(), net).close());
        GrpcClient grpc = RehearsedInterfaces.grpcClient(whole.test().master().vertx(), net);
        assertThat(
                await(ObjectsGrpcClient.create(grpc, whole.grpcAddress()).exists(named))
                    .getExists())
            .isFalse();
        await(grpc.close());
      }
    }
  }

  @Test
  void endsAlsoWhenItCannotBePlayed() throws Exception {
    MasterConfig unreadable =
        MasterConfig.builder().tlsCert("no such file").tlsKey("no such file").build();
    Rehearsal.run(unreadable).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** Its thread gives way to all others, so it may get on long after an answer has come. */
  @ParameterizedTest
  @ValueSource(strings = {"", "{}"})
  void missesNoAnswerThatComesBeforeItsThreadGetsOn(String body) {
    Vertx vertx = Vertx.vertx();
    try {
      HttpServer server =
          await(
              vertx
                  .createHttpServer()
                  .requestHandler(request -> request.response().end("answer"))
                  .listen(0, "127.0.0.1"));
      // With one connection the next request goes out when the answer before it is over.
      HttpClient client =
          vertx
              .httpClientBuilder()
              .with(new PoolOptions().setHttp1MaxSize(1))
              .with(new HttpClientOptions().setDefaultPort(server.actualPort()))
              .build();
      Future<HttpClientRequest> opened = client.request(HttpMethod.POST, "/");
      Runnable untilAnswered =
          () ->
              await(
                  client
                      .request(HttpMethod.GET, "/")
                      .compose(request -> request.send().compose(response -> response.body())));
      assertThat(await(RehearsedInterfaces.exchange(slow(opened, untilAnswered), body)))
          .hasToString("answer");
    } finally {
      await(vertx.close());
    }
  }

  /** A future whose caller stands still for a while after each step that it chains to it. */
  @SuppressWarnings("unchecked")
  private static <T> Future<T> slow(Future<T> future, Runnable pause) {
    return (Future<T>)
        Proxy.newProxyInstance(
            Future.class.getClassLoader(),
            new Class<?>[] {Future.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(future, arguments);
              if (!(result instanceof Future<?> next)) {
                return result;
              }
              pause.run();
              return slow(next, pause);
            });
  }

  private static <T> T await(Future<T> future) {
    return AdminFixture.await(future);
  }
}
