package io.moonpool.master.admin;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Calls the HTTP interface as any HTTP client would, one call after the other. */
public final class RestCaller {
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private final String base;

  private final String token;

  public RestCaller(int port) {
    this("http://127.0.0.1:" + port, null);
  }

  private RestCaller(String base, String token) {
    this.base = base;
    this.token = token;
  }

  /** The same with a token in each call. */
  public RestCaller withToken(String bearer) {
    return new RestCaller(base, bearer);
  }

  public record Reply(int status, HttpResponse<String> response) {
    public JsonObject json() {
      return new JsonObject(response.body());
    }

    public String error() {
      return json().getString("error");
    }

    public String message() {
      return json().getString("message");
    }

    public String header(String name) {
      return response.headers().firstValue(name).orElse(null);
    }
  }

  public Reply get(String path) {
    return send(request(path).GET());
  }

  public Reply delete(String path) {
    return send(request(path).DELETE());
  }

  public Reply post(String path, String body) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  public Reply call(String method, String path) {
    return send(request(path).method(method, HttpRequest.BodyPublishers.noBody()));
  }

  public HttpRequest.Builder request(String path) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(base + path)).timeout(Duration.ofSeconds(20));
    return token == null ? builder : builder.header("Authorization", "Bearer " + token);
  }

  public Reply send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Reply(response.statusCode(), response);
    } catch (IOException e) {
      throw new AssertionError("the call failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** A key as a segment of a path. */
  public static String encode(String key) {
    return URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
