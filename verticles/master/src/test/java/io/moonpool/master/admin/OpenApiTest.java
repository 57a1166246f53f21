package io.moonpool.master.admin;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.openapi.contract.OpenAPIContract;
import io.vertx.openapi.contract.Operation;
import io.vertx.openapi.contract.Parameter;
import io.vertx.openapi.validation.ResponseValidator;
import io.vertx.openapi.validation.ValidatableResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The OpenAPI document and the interface say the same. */
class OpenApiTest {
  private static final String SEGMENT = "/api/v1/segments/" + FakeMaster.SEGMENT;
  private static final String NOBODY = "/00000000-0000-0000-0000-000000000000";

  private AdminFixture admin;
  private RestCaller rest;
  private OpenAPIContract contract;
  private ResponseValidator validator;
  private final Set<String> seen = new TreeSet<>();

  @BeforeEach
  void start() {
    admin = new AdminFixture();
    rest = admin.rest;
    JsonObject document = rest.get("/api/v1/openapi.json").json();
    // The library that judges here knows neither YAML nor events nor pages.
    for (String path :
        List.of(
            "/api/v1/openapi.yaml",
            "/api/v1/drain_jobs/{job_id}/events",
            "/api/v1/events",
            "/",
            "/dashboard",
            "/dashboard/{file}")) {
      document
          .getJsonObject("paths")
          .getJsonObject(path)
          .getJsonObject("get")
          .getJsonObject("responses")
          .getJsonObject("200")
          .remove("content");
    }
    contract = AdminFixture.await(OpenAPIContract.from(admin.vertx, document));
    validator = ResponseValidator.create(admin.vertx, contract);
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  @Test
  void bothFormatsAreTheSameDocument() {
    RestCaller.Reply yaml = rest.get("/api/v1/openapi.yaml");
    assertThat(yaml.header("Content-Type")).isEqualTo("application/yaml");
    Map<String, Object> tree = new Yaml().load(yaml.response().body());
    JsonObject json = rest.get("/api/v1/openapi.json").json();
    assertThat(new JsonObject(new JsonObject(tree).encode())).isEqualTo(json);
    assertThat(json.getString("openapi")).startsWith("3.1");
  }

  @Test
  void everyRouteIsDocumentedAndEveryDocumentedPathIsRouted() {
    Set<String> routed =
        admin.verticle.routes().stream()
            .map(route -> route.method() + " " + route.path())
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> documented = new TreeSet<>();
    contract
        .getPaths()
        .forEach(
            path ->
                path.getOperations()
                    .forEach(o -> documented.add(o.getHttpMethod() + " " + path.getName())));
    assertThat(documented).isEqualTo(routed).hasSizeGreaterThan(10);
  }

  @Test
  void everyQueryParameterIsDocumentedAndEveryDocumentedOneIsRead() {
    for (Operation operation : contract.operations()) {
      if (operation.getOpenAPIPath().startsWith("/health")
          || operation.getOpenAPIPath().equals("/metrics")) {
        continue;
      }
      // A route that meets an unknown parameter names those that it knows.
      String path = example(operation) + "?no-such-parameter=1";
      String message =
          rest.send(
                  rest.request(path)
                      .method(
                          operation.getHttpMethod().name(),
                          java.net.http.HttpRequest.BodyPublishers.noBody()))
              .message();
      Matcher known = Pattern.compile("this path takes (.*)").matcher(message);
      assertThat(known.find()).as(path + ": " + message).isTrue();
      Set<String> read =
          known.group(1).equals("none")
              ? Set.of()
              : Arrays.stream(known.group(1).split(", ")).collect(Collectors.toSet());
      Set<String> documented =
          operation.getParameters().stream()
              .filter(p -> p.getIn().toString().equals("query"))
              .map(Parameter::getName)
              .collect(Collectors.toSet());
      assertThat(read).as(path).isEqualTo(documented);
    }
  }

  @Test
  void everyDocumentedAnswerIsGivenAndFitsItsSchema() {
    admin.master.with("a").with("b").with("red", "c", 1);
    admin.master.lease("b");
    check("listObjects", rest.get("/api/v1/objects?limit=1"));
    check("listObjects", rest.get("/api/v1/objects"));
    check("listObjects", rest.get("/api/v1/objects?limit=0"));
    check("describeObject", rest.get("/api/v1/objects/a"));
    check("describeObject", rest.get("/api/v1/objects/b"));
    check("describeObject", rest.get("/api/v1/objects/"));
    check("describeObject", rest.get("/api/v1/objects/none"));
    check("objectExists", rest.get("/api/v1/objects/a/exists"));
    check("objectExists", rest.get("/api/v1/objects//exists"));
    check("removeObject", rest.delete("/api/v1/objects/a"));
    check("removeObject", rest.delete("/api/v1/objects/a"));
    check("removeObject", rest.delete("/api/v1/objects/b"));
    check("removeObject", rest.delete("/api/v1/objects/b?force=1"));
    check("removeMatching", rest.post("/api/v1/object-removals", "{\"all\":true}"));
    check("removeMatching", rest.post("/api/v1/object-removals", "{}"));
    check("listSegments", rest.get("/api/v1/segments"));
    check("describeSegment", rest.get(SEGMENT));
    check("describeSegment", rest.get("/api/v1/segments" + NOBODY));
    check("describeSegment", rest.get("/api/v1/segments/x"));
    check("listClients", rest.get("/api/v1/clients"));
    check("describeClient", rest.get("/api/v1/clients/" + FakeMaster.NODE));
    check("describeClient", rest.get("/api/v1/clients" + NOBODY));
    check("describeClient", rest.get("/api/v1/clients/x"));
    check("describeOfflineBreaker", rest.get("/api/v1/offline_breaker"));
    check("confirmOffline", rest.post("/api/v1/offline_breaker/confirm", ""));
    check("confirmOffline", rest.post("/api/v1/offline_breaker/confirm", ""));
    check("describeOfflineBreaker", rest.get("/api/v1/offline_breaker"));
    check("describeCluster", rest.get("/api/v1/cluster"));
    check("openApiJson", rest.get("/api/v1/openapi.json"));
    seen.add("openApiYaml 200");
    awaitFigures();
    check("figures", rest.get("/api/v1/figures"));
    check("poolEvents", rest.call("HEAD", "/api/v1/events"));
    check("dashboard", rest.get("/"));
    check("dashboardPage", rest.get("/dashboard"));
    check("dashboardFile", rest.get("/dashboard/app.js"));
    check("dashboardFile", rest.get("/dashboard/none.js"));
    check("live", rest.get("/health/live"));
    check("ready", rest.get("/health/ready"));
    check("metrics", rest.get("/metrics"));
    check("unmountSegment", rest.post(SEGMENT + "/unmount", "{\"grace_ms\":-1}"));
    check("unmountSegment", rest.post("/api/v1/segments" + NOBODY + "/unmount", ""));
    check("unmountSegment", rest.post(SEGMENT + "/unmount", ""));
    try (AdminFixture slow = new AdminFixture()) {
      slow.master.holdUnmount();
      check("unmountSegment", slow.rest.post(SEGMENT + "/unmount", ""));
      slow.master.breakDown();
      check("ready", slow.rest.get("/health/ready"));
    }

    checkDrains();
    checkTasks();

    Set<String> documented = new TreeSet<>();
    for (Operation operation : contract.operations()) {
      JsonObject responses = operation.getOpenAPIModel().getJsonObject("responses");
      for (String status : responses.fieldNames()) {
        if (status.matches("[0-9]+")) {
          documented.add(operation.getOperationId() + " " + status);
        }
      }
    }
    assertThat(seen).isEqualTo(documented);
  }

  /** A schema that nothing was held against proves nothing. */
  private void awaitFigures() {
    await()
        .atMost(20, SECONDS)
        .until(() -> !rest.get("/api/v1/figures").json().getJsonArray("samples").isEmpty());
  }

  private void checkDrains() {
    String jobs = "/api/v1/drain_jobs";
    RestCaller.Reply created = rest.post(jobs, "{\"node\":\"a\"}");
    String job = jobs + "/" + created.json().getString("job_id");
    check("createDrainJob", created);
    check("createDrainJob", rest.post(jobs, "{\"node\":\"a\",\"plan\":true}"));
    check("createDrainJob", rest.post(jobs, "{}"));
    check("createDrainJob", rest.post(jobs, "{\"node\":\"x\"}"));
    check("createDrainJob", rest.post(jobs, "{\"node\":\"a\"}"));
    check("listDrainJobs", rest.get(jobs));
    check("describeDrainJob", rest.get(job));
    check("describeDrainJob", rest.get(jobs + "/x"));
    check("describeDrainJob", rest.get(jobs + NOBODY));
    check("undrain", rest.post("/api/v1/undrain", "{\"node\":\"a\"}"));
    check("cancelDrainJob", rest.post(jobs + "/x/cancel", ""));
    check("cancelDrainJob", rest.post(jobs + NOBODY + "/cancel", ""));
    check("cancelDrainJob", rest.post(job + "/cancel", ""));
    check("cancelDrainJob", rest.post(job + "/cancel", ""));
    check("drainJobEvents", rest.get(jobs + "/x/events"));
    check("drainJobEvents", rest.get(jobs + NOBODY + "/events"));
    seen.add("drainJobEvents 200");
    check("undrain", rest.post("/api/v1/undrain", "{\"node\":\"a\"}"));
    check("undrain", rest.post("/api/v1/undrain", "{\"node\":\"x\"}"));
    check("undrain", rest.post("/api/v1/undrain", "{}"));
  }

  private void checkTasks() {
    String tasks = "/api/v1/tasks";
    RestCaller.Reply created =
        rest.post(tasks, "{\"key\":\"k\",\"source\":\"a\",\"target\":\"b\"}");
    check("createTask", created);
    check(
        "createTask",
        rest.post(tasks, "{\"type\":\"replica_copy\",\"key\":\"failed\",\"targets\":[\"b\"]}"));
    check("createTask", rest.post(tasks, "{}"));
    check("createTask", rest.post(tasks, "{\"key\":\"none\",\"source\":\"a\",\"target\":\"b\"}"));
    check("listTasks", rest.get(tasks));
    check("listTasks", rest.get(tasks + "?limit=0"));
    check("describeTask", rest.get(tasks + "/" + created.json().getString("task_id")));
    check("describeTask", rest.get(tasks + "/x"));
    check("describeTask", rest.get(tasks + NOBODY));
  }

  private void check(String operation, RestCaller.Reply reply) {
    String mediaType = reply.header("Content-Type").split(";")[0];
    seen.add(operation + " " + reply.status());
    if (mediaType.equals("text/plain")) {
      assertThat(contract.operation(operation).getResponse(200).getContent())
          .containsKey("text/plain");
      return;
    }
    if (mediaType.startsWith("text/")) {
      // What the library does not know was taken out of the document.
      return;
    }
    ValidatableResponse response =
        ValidatableResponse.create(
            reply.status(), Map.of(), Buffer.buffer(reply.response().body()), mediaType);
    AdminFixture.await(
        validator
            .validate(response, operation)
            .recover(
                failure ->
                    io.vertx.core.Future.failedFuture(
                        new AssertionError(
                            operation + " " + reply.status() + " " + reply.response().body(),
                            failure))));
  }

  private static String example(Operation operation) {
    List<String> segments = new ArrayList<>();
    for (String segment : operation.getOpenAPIPath().split("/")) {
      segments.add(
          switch (segment) {
            case "{key}" -> "k";
            case "{file}" -> "app.js";
            case "{segment_id}" -> FakeMaster.SEGMENT.toString();
            case "{node_id}" -> FakeMaster.NODE.toString();
            case "{job_id}", "{task_id}" -> NOBODY.substring(1);
            default -> segment;
          });
    }
    return String.join("/", segments);
  }
}
