package io.moonpool.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.cluster.ServerProcess;
import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.drain.MasterRest;
import io.moonpool.app.packaged.FatJar;
import io.moonpool.app.packaged.PausedProcess;
import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody watches a real cluster in a real browser: logs in, plans and starts a drain, sees it
 * happen, undoes it, and sees a node stop and die. Skipped where there is no Chromium. With {@code
 * -Dmoonpool.screenshots=FOLDER} it leaves pictures.
 */
@Timeout(400)
class DashboardIT {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final String TOKEN = "0123456789abcdef";
  private static final String HOSTILE = "<img src=x onerror=\"document.title='owned'\">";
  private static final int OBJECTS = 40;
  private static final int BYTES = 100_000;

  @TempDir private Path folder;

  private final Vertx vertx = Vertx.vertx();
  private final Map<String, ServerProcess> processes = new LinkedHashMap<>();
  private final Map<String, String> ids = new LinkedHashMap<>();
  private Browser browser;
  private String rpcPort;
  private String url;

  @BeforeEach
  void start() throws Exception {
    Optional<Path> program = Browser.program();
    assumeTrue(program.isPresent(), "no Chromium is installed: apt-get install chromium");
    Map<String, String> settings = masterSettings("0", "0");
    settings.put("lease_ttl_ms", "500");
    settings.put("client_active_ttl_ms", "3000");
    settings.put("client_suspicion_ttl_ms", "4000");
    Map<String, String> ready = launch("master", "master", settings);
    rpcPort = ready.get("rpc");
    url = "http://127.0.0.1:" + ready.get("http") + "/";
    startNode("a");
    fill();
    startNode("b");
    browser = Browser.start(program.get(), folder);
  }

  private static Map<String, String> masterSettings(String rpcPort, String httpPort) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("rpc_host", "127.0.0.1");
    settings.put("rpc_port", rpcPort);
    settings.put("grpc_port", "0");
    settings.put("heartbeat_port", "0");
    settings.put("http_port", httpPort);
    settings.put("admin_host", "127.0.0.1");
    settings.put("admin_token", TOKEN);
    settings.put("rehearsal", "false");
    return settings;
  }

  private Map<String, String> launch(String role, String name, Map<String, String> settings)
      throws Exception {
    ServerProcess process = ServerProcess.start(FatJar.JAVA, role, name, folder, settings, 256);
    processes.put(name, process);
    return process.awaitReady(LIMIT);
  }

  private void startNode(String name) throws Exception {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("master_host", "127.0.0.1");
    settings.put("master_port", rpcPort);
    settings.put("name", name);
    settings.put("host_id", "host-" + name);
    settings.put("data_dir", name);
    settings.put("segment_bytes", "64MiB");
    settings.put("http_port", "0");
    ids.put(name, launch("node", name, settings).get("id"));
  }

  private void fill() {
    MoonpoolClient client =
        Await.result(
            MoonpoolClient.connect(
                vertx,
                ClientOptions.of("127.0.0.1", Integer.parseInt(rpcPort))
                    .but()
                    .transports(List.of("tcp"))
                    .build()),
            LIMIT);
    try {
      for (int i = 0; i < OBJECTS; i++) {
        byte[] value = new byte[BYTES];
        Await.result(client.put(HOSTILE + i, value, WriteOptions.DEFAULT), LIMIT);
      }
    } finally {
      Await.result(client.close(), LIMIT);
    }
  }

  @AfterEach
  void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    processes.values().forEach(ServerProcess::close);
    for (ServerProcess process : processes.values()) {
      process.awaitStopped(LIMIT);
    }
    Await.result(vertx.close(), LIMIT);
  }

  private void picture(String name) throws Exception {
    String pictures = System.getProperty("moonpool.screenshots");
    if (pictures != null) {
      Path target = Files.createDirectories(Path.of(pictures));
      Files.write(target.resolve(name + ".png"), browser.screenshot());
    }
  }

  private static String has(String selector) {
    return "document.querySelector(`" + selector + "`) !== null";
  }

  private String node(String name) {
    return "#clients tr[data-node=\"" + ids.get(name) + "\"]";
  }

  private static String segment(String name, String status) {
    return "#segments tr[data-segment=\"" + name + "\"][data-status=\"" + status + "\"]";
  }

  private void click(String selector) throws Exception {
    browser.await(has(selector));
    browser.evaluate("document.querySelector(`" + selector + "`).click()");
  }

  private void logIn() throws Exception {
    browser.open(url);
    browser.await("document.querySelector('#login') && !document.querySelector('#login').hidden");
    assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("token");
    assertThat(browser.evaluate("document.querySelector('#main').hidden")).isEqualTo(true);
    assertThat(
            browser.evaluate(
                "['#no-drains', '#no-events'].every(id => document.querySelector(id).hidden)"))
        .as("it claims nothing before it was told something")
        .isEqualTo(true);
    browser.type("wrong-token-000");
    browser.press("Enter");
    browser.await("document.querySelector('#login-error').textContent.includes('admin_token')");
    browser.type(TOKEN);
    browser.press("Enter");
    browser.await("document.querySelector('#connection').dataset.state === 'live'");
    assertThat(browser.evaluate("sessionStorage.getItem('moonpool.admin_token')")).isEqualTo(TOKEN);
    assertThat((String) browser.evaluate("JSON.stringify(localStorage) + document.cookie"))
        .doesNotContain(TOKEN);
  }

  @Test
  void aNodeIsDrainedStoppedAndKilledWhileThePageIsOpen() throws Exception {
    browser.look(1280, 1000, false);
    logIn();
    for (String name : List.of("a", "b")) {
      browser.await(has(node(name) + "[data-state=\"active\"]"));
      browser.await(has(segment(name + "-0", "ok")));
    }
    browser.await(
        "document.querySelector('[data-tile=Objects] strong').textContent === '" + OBJECTS + "'");
    browser.await("document.querySelectorAll('#charts canvas').length >= 6");
    browser.await("!document.querySelector('#no-drains').hidden");

    // By keyboard: d opens the dialog, which shows the plan before it can be confirmed.
    browser.evaluate("document.activeElement.blur()");
    browser.press("d");
    browser.await(has("dialog[open] #drain-node"));
    browser.evaluate(
        "{ const node = document.querySelector('#drain-node'); node.value = '"
            + ids.get("a")
            + "'; node.dispatchEvent(new Event('change')); }");
    browser.await(
        "document.querySelector('dialog .plan').textContent.includes('a-0 would be emptied: "
            + OBJECTS
            + " objects')");
    browser.await("!document.querySelector('dialog button.primary').disabled");
    picture("dashboard-plan");
    browser.press("Escape");
    browser.await("!(" + has("dialog") + ")");
    assertThat(browser.evaluate("document.querySelectorAll('.job').length")).isEqualTo(0);

    click(node("a") + " .actions button");
    browser.await("document.querySelector('#drain-node').value === '" + ids.get("a") + "'");
    browser.await("!document.querySelector('dialog button.primary').disabled");
    click("dialog button.primary");
    browser.await(has(".job[data-status=\"succeeded\"]"));
    browser.await(has(segment("a-0", "drained")));
    browser.await(
        "document.querySelector('.job').textContent.includes('" + OBJECTS + " objects moved')");
    browser.await(
        "[...document.querySelectorAll('#events li')].some(li =>"
            + " li.textContent.includes('a-0 is now drained'))");
    picture("dashboard");

    click(".job .actions button:not([hidden])");
    click("dialog button.primary");
    browser.await(has(segment("a-0", "ok")));

    browser.look(390, 840, true);
    assertThat(
            browser.evaluate(
                "document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
        .as("a phone does not scroll sideways")
        .isEqualTo(true);
    picture("dashboard-phone");
    browser.look(1280, 1000, true);

    try (PausedProcess stopped = PausedProcess.stop(processes.get("b").pid())) {
      browser.await(has(node("b") + "[data-state=\"suspected\"]"));
    }
    browser.await(has(node("b") + "[data-state=\"active\"]"));

    processes.get("b").close();
    browser.await(has(node("b") + "[data-state=\"suspected\"]"));
    browser.await(has(node("b") + "[data-state=\"offline\"]"));
    browser.await(
        "[...document.querySelectorAll('#events li')].some(li =>"
            + " li.textContent.includes('from suspected to offline'))");
    browser.await("!(" + has("#segments tr[data-segment=\"b-0\"]") + ")");
    picture("dashboard-dark");

    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void hostileKeysAreShownAndNotRead() throws Exception {
    logIn();
    browser.await(has(segment("b-0", "ok")));
    // Nothing is on b, and a is to be emptied onto itself: every object waits, by name.
    click(node("a") + " .actions button");
    browser.await("!document.querySelector('dialog button.primary').disabled");
    browser.evaluate("document.querySelector('dialog').close()");
    processes.get("b").close();
    browser.await(has(node("b") + "[data-state=\"offline\"]"));
    click(node("a") + " .actions button");
    browser.await("!document.querySelector('dialog button.primary').disabled");
    click("dialog button.primary");
    browser.await(
        "[...document.querySelectorAll('.job code')].some(code => code.textContent.startsWith("
            + "'<img src=x onerror='))");
    assertThat(browser.evaluate("document.querySelectorAll('.job img').length")).isEqualTo(0);
    assertThat((String) browser.evaluate("document.title")).startsWith("Moonpool");

    click(".job .actions button:not([hidden])");
    browser.await(
        "document.querySelector('dialog')?.textContent.includes('" + OBJECTS + " are left')");
    click("dialog button.primary");
    browser.await(has(".job[data-status=\"canceled\"]"));
    browser.await(has(segment("a-0", "ok")));

    // None of them has failed when the deadline is over: that they are left must be told all the
    // same, and why.
    try (MasterRest rest = MasterRest.open("127.0.0.1:" + URI.create(url).getPort(), "", TOKEN)) {
      new DrainJobs(rest)
          .create(new JsonObject().put("node", ids.get("a")).put("deadline_ms", 1_000));
    }
    String failed = "document.querySelector('.job[data-status=failed] ";
    browser.await(has(".job[data-status=\"failed\"] summary"));
    browser.await(failed + "summary').textContent === '" + OBJECTS + " objects are left'");
    browser.await(failed + ".message').textContent.startsWith('the deadline is over')");
    browser.await(failed + "details').open");
    browser.await(failed + "li').textContent.endsWith(': no space')");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void aMasterThatComesBackIsFoundAgain() throws Exception {
    logIn();
    browser.await(has(node("a") + "[data-state=\"active\"]"));
    processes.get("master").close();
    browser.await("document.querySelector('#connection').dataset.state === 'lost'");
    launch(
        "master",
        "master-again",
        masterSettings(rpcPort, String.valueOf(URI.create(url).getPort())));
    browser.await("document.querySelector('#connection').dataset.state === 'live'");
    browser.await(has(node("a") + "[data-state=\"active\"]"));
    assertThat(browser.complaints()).isEmpty();
  }
}
