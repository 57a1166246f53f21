package io.moonpool.app.dashboard;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * A headless Chromium with one page, driven over its DevTools protocol: JSON over a WebSocket. The
 * few calls that are needed here take less than a driver would.
 */
final class Browser implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final WebSocket socket;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonObject>> calls = new ConcurrentHashMap<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  private Browser(Process process, String page) throws Exception {
    this.process = process;
    this.socket =
        http.newWebSocketBuilder()
            .buildAsync(URI.create(page), new Answers())
            .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  /** The program, when this machine has one. */
  static Optional<Path> program() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin");
    for (String folder : path.split(":")) {
      for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
        Path program = Path.of(folder, name);
        if (Files.isExecutable(program)) {
          return Optional.of(program);
        }
      }
    }
    return Optional.empty();
  }

  /** Starts one; what it writes goes to the folder. */
  static Browser start(Path program, Path folder) throws Exception {
    Path profile = folder.resolve("profile");
    // Root may not use Chromium's sandbox, and the only page that is opened is our own.
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("browser.log").toFile())
            .start();
    try {
      Path port = profile.resolve("DevToolsActivePort");
      Awaitility.await()
          .atMost(LIMIT)
          .until(() -> Files.exists(port) && Files.readAllLines(port).size() > 1);
      Browser browser = new Browser(process, page(Files.readAllLines(port).getFirst()));
      for (String domain : List.of("Page", "Runtime", "Log")) {
        browser.call(domain + ".enable", new JsonObject());
      }
      return browser;
    } catch (Throwable e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static String page(String port) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      String list =
          client
              .send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                      .timeout(LIMIT)
                      .build(),
                  BodyHandlers.ofString())
              .body();
      return new JsonArray(list)
          .stream()
              .map(JsonObject.class::cast)
              .filter(target -> target.getString("type").equals("page"))
              .findFirst()
              .orElseThrow(() -> new IOException("the browser has no page: " + list))
              .getString("webSocketDebuggerUrl");
    }
  }

  /** Puts the parts of messages together. */
  private final class Answers implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        answered(new JsonObject(text.toString()));
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private void answered(JsonObject message) {
    Integer id = message.getInteger("id");
    if (id != null) {
      CompletableFuture<JsonObject> call = calls.remove(id);
      if (call != null) {
        call.complete(message);
      }
      return;
    }
    JsonObject params = message.getJsonObject("params", new JsonObject());
    switch (message.getString("method", "")) {
      case "Runtime.exceptionThrown" -> complaints.add(params.encode());
      case "Log.entryAdded" -> {
        JsonObject entry = params.getJsonObject("entry");
        if (!entry.getString("source").equals("network")) {
          complaints.add(entry.encode());
        }
      }
      case "Runtime.consoleAPICalled" -> {
        if (params.getString("type").equals("error")) {
          complaints.add(params.encode());
        }
      }
      default -> {
        // Of no interest here.
      }
    }
  }

  /** A call of the protocol. */
  JsonObject call(String method, JsonObject params) throws Exception {
    int id = ids.incrementAndGet();
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    calls.put(id, answer);
    socket.sendText(
        new JsonObject().put("id", id).put("method", method).put("params", params).encode(), true);
    JsonObject message = answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    if (message.containsKey("error")) {
      throw new IllegalStateException(method + ": " + message.getJsonObject("error"));
    }
    return message.getJsonObject("result");
  }

  void open(String url) throws Exception {
    call("Page.navigate", new JsonObject().put("url", url));
  }

  /** The value of an expression in the page, which may be a promise. */
  Object evaluate(String expression) throws Exception {
    JsonObject result =
        call(
            "Runtime.evaluate",
            new JsonObject()
                .put("expression", expression)
                .put("returnByValue", true)
                .put("awaitPromise", true));
    if (result.containsKey("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + result.getJsonObject("exceptionDetails"));
    }
    return result.getJsonObject("result").getValue("value");
  }

  /** Waits until an expression is true in the page. */
  void await(String expression) {
    Awaitility.await(expression)
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptions()
        .until(() -> Boolean.TRUE.equals(evaluate(expression)));
  }

  /** Presses a key where the focus is; one character, or a name like {@code Enter}. */
  void press(String key) throws Exception {
    JsonObject down = new JsonObject().put("type", "keyDown").put("key", key);
    switch (key) {
      case "Enter" -> down.put("windowsVirtualKeyCode", 13).put("text", "\r");
      case "Escape" -> down.put("windowsVirtualKeyCode", 27);
      case "Tab" -> down.put("windowsVirtualKeyCode", 9);
      default -> down.put("text", key);
    }
    call("Input.dispatchKeyEvent", down);
    JsonObject up = down.copy().put("type", "keyUp");
    up.remove("text");
    call("Input.dispatchKeyEvent", up);
  }

  /** Types a text where the focus is. */
  void type(String text) throws Exception {
    call("Input.insertText", new JsonObject().put("text", text));
  }

  /** How large the window is, and whether its colours are dark. */
  void look(int width, int height, boolean dark) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        new JsonObject()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", width < 600));
    call(
        "Emulation.setEmulatedMedia",
        new JsonObject()
            .put(
                "features",
                new JsonArray()
                    .add(
                        new JsonObject()
                            .put("name", "prefers-color-scheme")
                            .put("value", dark ? "dark" : "light"))));
  }

  /** A picture of the window. */
  byte[] screenshot() throws Exception {
    JsonObject picture = call("Page.captureScreenshot", new JsonObject().put("format", "png"));
    return Base64.getDecoder().decode(picture.getString("data"));
  }

  /** What the page complained about: exceptions, errors on the console, what its policy refused. */
  List<String> complaints() {
    return new ArrayList<>(complaints);
  }

  @Override
  public void close() throws Exception {
    try {
      call("Browser.close", new JsonObject());
    } finally {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
      }
    }
    socket.abort();
    http.close();
  }
}
