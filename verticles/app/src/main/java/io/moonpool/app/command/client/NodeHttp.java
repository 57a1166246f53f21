package io.moonpool.app.command.client;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;

/** Asks nodes over REST. Calls block. */
final class NodeHttp implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int CONNECT_MILLIS = 10_000;

  private final Vertx vertx;
  private final HttpClient http;
  private final String token;

  private NodeHttp(Vertx vertx, HttpClient http, String token) {
    this.vertx = vertx;
    this.http = http;
    this.token = token;
  }

  /**
   * A client.
   *
   * @param tlsCa PEM file with the certificates to trust; empty: no TLS
   * @param token for nodes that want one; empty: none
   */
  static NodeHttp open(String tlsCa, String token) {
    Vertx vertx = Vertx.vertx();
    HttpClientOptions options = new HttpClientOptions().setConnectTimeout(CONNECT_MILLIS);
    if (!tlsCa.isEmpty()) {
      options.setSsl(true).setTrustOptions(new PemTrustOptions().addCertPath(tlsCa));
    }
    return new NodeHttp(vertx, vertx.createHttpClient(options), token);
  }

  private record Answer(int status, Buffer body) {}

  /**
   * Sends a request without a body.
   *
   * @param disk whose node is asked
   * @return the JSON of a successful answer
   * @throws CommandFailure when there is none, with what the node said
   */
  JsonObject call(DiskCommand.Disk disk, HttpMethod method, String path) {
    String[] address = disk.address().split(":(?=\\d+$)", -1);
    if (address.length != 2) {
      throw unreachable(disk, "it has no REST address");
    }
    RequestOptions options =
        new RequestOptions()
            .setMethod(method)
            .setHost(address[0])
            .setPort(Integer.parseInt(address[1]))
            .setURI(path);
    if (!token.isEmpty()) {
      options.putHeader("Authorization", "Bearer " + token);
    }
    Future<Answer> answered =
        http.request(options)
            .compose(
                request ->
                    request
                        .send()
                        .compose(
                            response ->
                                response
                                    .body()
                                    .map(body -> new Answer(response.statusCode(), body))));
    Answer answer = await(disk, answered);
    JsonObject body = json(disk, answer);
    if (answer.status() / 100 != 2) {
      throw new CommandFailure(
          ExitCode.FAILED,
          disk.name() + ": " + body.getString("error") + ", " + body.getString("message"));
    }
    return body;
  }

  private static Answer await(DiskCommand.Disk disk, Future<Answer> answered) {
    try {
      return Await.result(answered, LIMIT);
    } catch (StoreException e) {
      throw unreachable(disk, e.sentence());
    }
  }

  private static JsonObject json(DiskCommand.Disk disk, Answer answer) {
    try {
      return new JsonObject(answer.body());
    } catch (DecodeException e) {
      throw new CommandFailure(
          ExitCode.FAILED,
          disk.name()
              + ": "
              + disk.address()
              + " answered "
              + answer.status()
              + " and no JSON: is it a node's REST?");
    }
  }

  private static CommandFailure unreachable(DiskCommand.Disk disk, String why) {
    return new CommandFailure(
        ExitCode.UNREACHABLE,
        disk.name()
            + ": the node "
            + disk.nodeId()
            + " at '"
            + disk.address()
            + "' cannot be asked: "
            + why);
  }

  @Override
  public void close() {
    Await.result(vertx.close(), LIMIT);
  }
}
