package io.moonpool.app.drain;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.shell.HostPort;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.parsetools.RecordParser;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks a master over REST. Calls block, and fail with a {@link StoreException}: what the master
 * says, or RPC_FAIL or RPC_TIMEOUT when it cannot be asked.
 */
public final class MasterRest implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int CONNECT_MILLIS = 10_000;
  private static final String NAME = "event: ";
  private static final String DATA = "data: ";

  private final Vertx vertx;
  private final HttpClient http;
  private final String host;
  private final int port;
  private final String token;

  private MasterRest(Vertx vertx, HttpClient http, String host, int port, String token) {
    this.vertx = vertx;
    this.http = http;
    this.host = host;
    this.port = port;
    this.token = token;
  }

  /**
   * A way to a master; nothing is asked yet.
   *
   * @param address of its HTTP interface, {@code host:port}
   * @param tlsCa PEM file with the certificates to trust; empty: no TLS
   * @param token its admin_token; empty: none
   * @throws IllegalArgumentException when the address is none
   */
  public static MasterRest open(String address, String tlsCa, String token) {
    HostPort place = HostPort.parse(address);
    HttpClientOptions options = new HttpClientOptions().setConnectTimeout(CONNECT_MILLIS);
    if (!tlsCa.isEmpty()) {
      options.setSsl(true).setTrustOptions(new PemTrustOptions().addCertPath(tlsCa));
    }
    Vertx vertx = Vertx.vertx();
    return new MasterRest(
        vertx, vertx.createHttpClient(options), place.host(), place.port(), token);
  }

  private record Answer(int status, Buffer body) {}

  /** A text as one step of a path, or as the value of a parameter. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The JSON that a GET is answered with. */
  public JsonObject get(String path) {
    return call(HttpMethod.GET, path, null);
  }

  /** The JSON that a POST is answered with. */
  public JsonObject post(String path, JsonObject body) {
    return call(HttpMethod.POST, path, body);
  }

  private JsonObject call(HttpMethod method, String path, @Nullable JsonObject body) {
    Future<Answer> answered =
        http.request(options(method, path))
            .compose(
                request ->
                    (body == null
                            ? request.send()
                            : request
                                .putHeader("Content-Type", "application/json")
                                .send(body.toBuffer()))
                        .compose(MasterRest::whole))
            .recover(failure -> Future.failedFuture(unreachable(failure)));
    Answer answer = Await.result(answered, LIMIT);
    if (answer.status() / 100 != 2) {
      throw refusal(answer);
    }
    return json(answer);
  }

  private RequestOptions options(HttpMethod method, String path) {
    RequestOptions options =
        new RequestOptions().setMethod(method).setHost(host).setPort(port).setURI(path);
    return token.isEmpty() ? options : options.putHeader("Authorization", "Bearer " + token);
  }

  private static Future<Answer> whole(HttpClientResponse response) {
    return response.body().map(body -> new Answer(response.statusCode(), body));
  }

  private StoreException unreachable(Throwable failure) {
    return failure instanceof StoreException known
        ? known
        : new StoreException(
            ErrorCode.RPC_FAIL,
            "the HTTP interface of the master at "
                + host
                + ":"
                + port
                + " cannot be asked: "
                + failure.getMessage());
  }

  private StoreException refusal(Answer answer) {
    JsonObject body = json(answer);
    String name = body.getString("error", "");
    for (ErrorCode code : ErrorCode.values()) {
      if (code.name().equals(name)) {
        return new StoreException(code, body.getString("message", code.sentence()));
      }
    }
    return new StoreException(
        ErrorCode.INTERNAL_ERROR,
        "the master answered " + answer.status() + ": " + body.getString("message", ""));
  }

  private JsonObject json(Answer answer) {
    try {
      return new JsonObject(answer.body());
    } catch (DecodeException | ClassCastException e) {
      throw new StoreException(
          ErrorCode.RPC_FAIL,
          host
              + ":"
              + port
              + " answered "
              + answer.status()
              + " and no JSON: is it the HTTP interface of a master?");
    }
  }

  /** Begins to read a stream of server-sent events whose data is JSON. */
  public Events events(String path) {
    Events events = new Events();
    Future<Optional<Answer>> begun =
        http.request(options(HttpMethod.GET, path))
            .compose(
                request ->
                    request
                        .send()
                        .compose(
                            response -> {
                              if (response.statusCode() != 200) {
                                return whole(response).map(Optional::of);
                              }
                              events.read(response);
                              return Future.succeededFuture(Optional.<Answer>empty());
                            }))
            .recover(failure -> Future.failedFuture(unreachable(failure)));
    Optional<Answer> refused = Await.result(begun, LIMIT);
    if (refused.isPresent()) {
      throw refusal(refused.get());
    }
    return events;
  }

  /**
   * An event of a stream.
   *
   * @param name what kind of event; empty when it has none
   */
  public record Event(String name, JsonObject data) {}

  /** The events of one stream. The reader blocks; what arrives is put in line by an event loop. */
  public static final class Events implements AutoCloseable {
    /** What came; empty for the end. */
    private final BlockingQueue<Optional<Event>> line = new LinkedBlockingQueue<>();

    private volatile @Nullable HttpClientResponse source;
    private boolean over;

    private Events() {}

    private void read(HttpClientResponse response) {
      source = response;
      response.endHandler(end -> line.add(Optional.empty()));
      response.exceptionHandler(failure -> line.add(Optional.empty()));
      response.handler(RecordParser.newDelimited("\n\n", record -> arrived(record.toString())));
    }

    private void arrived(String record) {
      String name = "";
      for (String field : record.lines().toList()) {
        if (field.startsWith(NAME)) {
          name = field.substring(NAME.length());
        } else if (field.startsWith(DATA)) {
          line.add(Optional.of(new Event(name, new JsonObject(field.substring(DATA.length())))));
        }
      }
    }

    /**
     * Waits for the next event.
     *
     * @return null when none came in that time, or the stream is over
     */
    public @Nullable Event next(long millis) throws InterruptedException {
      if (over) {
        return null;
      }
      Optional<Event> event = line.poll(millis, TimeUnit.MILLISECONDS);
      if (event == null) {
        return null;
      }
      over = event.isEmpty();
      return event.orElse(null);
    }

    /** Whether nothing comes any more. */
    public boolean isOver() {
      return over;
    }

    @Override
    public void close() {
      HttpClientResponse response = source;
      if (response != null && !over) {
        response.request().connection().close();
      }
    }
  }

  @Override
  public void close() {
    Await.result(vertx.close(), LIMIT);
  }
}
