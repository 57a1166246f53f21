package io.moonpool.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.moonpool.app.doctor.Finding.Verdict;
import io.moonpool.master.Master;
import io.moonpool.master.MasterConfig;
import io.moonpool.master.admin.AdminInterface;
import io.moonpool.master.admin.metrics.MasterMetrics;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The doctor on this machine, and on machines that are made of files. */
class DoctorTest {
  private static final List<String> FLAGS = List.of("-XX:+UseZGC", "-XX:+UseCompactObjectHeaders");

  @TempDir private Path root;

  private void file(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  private void goodMachine() throws IOException {
    file("sys/devices/system/cpu/online", "0-7");
    file("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t0-7");
    file(
        "proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units\n"
            + "Max locked memory         unlimited            unlimited            bytes");
    file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
    file(
        "sys/kernel/mm/transparent_hugepage/shmem_enabled",
        "always within_size [advise] never deny force");
    file("proc/sys/net/core/rmem_max", "8388608");
    file("proc/sys/net/core/wmem_max", "8388608");
    Files.createDirectories(root.resolve("dev/shm"));
  }

  private Map<String, Finding> machine() {
    return byName(new MachineChecks(new KernelFiles(root), FLAGS, 25).look());
  }

  private static Map<String, Finding> byName(List<Finding> findings) {
    return findings.stream().collect(Collectors.toMap(Finding::check, Function.identity()));
  }

  @Test
  void findsNothingWrongWithAGoodMachine() throws IOException {
    goodMachine();
    assertThat(machine().values())
        .allSatisfy(
            finding -> assertThat(finding.verdict()).as(finding.toString()).isEqualTo(Verdict.OK));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cores             | sys/fs/cgroup/cpu.max | 150000 100000 | WARN",
        "cores             | proc/self/status | Cpus_allowed_list: 3 | WARN",
        "memory_lock_limit | proc/self/limits | Max locked memory  8388608  8388608  bytes | WARN",
        "huge_pages        | sys/kernel/mm/transparent_hugepage/enabled | always madvise [never] | WARN",
        "huge_pages        | sys/kernel/mm/transparent_hugepage/shmem_enabled | always [never] | NOTE",
        "socket_buffers    | proc/sys/net/core/rmem_max | 212992 | WARN",
        "socket_buffers    | proc/sys/net/core/wmem_max | 212992 | WARN",
        "socket_buffers    | proc/sys/net/core/wmem_max | what | NOTE"
      })
  void saysWhatToDo(String check, String path, String text, Verdict verdict) throws IOException {
    goodMachine();
    file(path, text);
    Finding finding = machine().get(check);
    assertThat(finding.verdict()).as(finding.toString()).isEqualTo(verdict);
    if (verdict == Verdict.WARN) {
      assertThat(finding.advice()).isNotEmpty();
    }
  }

  @Test
  void knowsOldJavaAndMissingFlags() throws IOException {
    goodMachine();
    Map<String, Finding> old =
        byName(new MachineChecks(new KernelFiles(root), List.of(), 21).look());
    assertThat(old.get("java").verdict()).isEqualTo(Verdict.FAIL);
    assertThat(old.get("java_flags").found()).contains("UseZGC");
    assertThat(old.get("java_flags").verdict()).isEqualTo(Verdict.WARN);
  }

  @Test
  void managesOnAMachineThatTellsNothing() {
    List<Finding> findings = new Doctor(root, null, null).look();
    assertThat(findings).hasSizeGreaterThanOrEqualTo(14);
    assertThat(findings).noneMatch(finding -> finding.verdict() == Verdict.FAIL);
  }

  @Test
  void looksAtRdmaDevices() throws IOException {
    goodMachine();
    KernelFiles kernel = new KernelFiles(root);
    assertThat(byName(new UcxChecks(kernel).look()).get("rdma_devices").verdict())
        .isEqualTo(Verdict.NOTE);
    file("sys/class/infiniband/mlx5_0/ports/1/state", "1: DOWN");
    assertThat(byName(new UcxChecks(kernel).look()).get("rdma_devices").verdict())
        .isEqualTo(Verdict.FAIL);
    Files.createDirectories(root.resolve("dev/infiniband"));
    assertThat(byName(new UcxChecks(kernel).look()).get("rdma_devices").found())
        .contains("mlx5_0: no port is ACTIVE");
    file("sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE");
    assertThat(byName(new UcxChecks(kernel).look()).get("rdma_devices"))
        .isEqualTo(Finding.ok("rdma_devices", "mlx5_0"));
  }

  @Test
  void triesTheFolderOfADisk() {
    Finding there = DiskCheck.look(root);
    assertThat(there.verdict()).isNotEqualTo(Verdict.FAIL);
    assertThat(there.found()).contains(root.toString(), "free");
    assertThat(root).isEmptyDirectory();
    assertThat(DiskCheck.look(root.resolve("none")).verdict()).isEqualTo(Verdict.FAIL);
    assertThat(DiskCheck.look(null).verdict()).isEqualTo(Verdict.NOTE);
  }

  @Test
  void looksAtARealKernel() {
    Map<String, Finding> findings = byName(new KernelChecks(new KernelFiles(Path.of("/"))).look());
    assertThat(findings.get("scheduling").found()).startsWith("kernel ").contains("slices");
    assertThat(findings.get("io_uring").found()).matches("(?s)allowed|refused with .*");
  }

  private static MasterChecks checks(int port, int httpPort, Path tlsCa) {
    return new MasterChecks(new Doctor.Master("127.0.0.1", port, httpPort, tlsCa));
  }

  @Test
  void reachesAMasterWithTls() throws Exception {
    SelfSigned own = SelfSigned.in(Files.createDirectory(root.resolve("own")));
    SelfSigned other = SelfSigned.in(Files.createDirectory(root.resolve("other")));
    Path none = Files.writeString(root.resolve("none.pem"), "no certificate");
    MasterMetrics metrics = new MasterMetrics();
    Master master =
        Master.start(
                MasterConfig.builder()
                    .ephemeral()
                    .tlsCert(own.certificate().toString())
                    .tlsKey(own.key().toString())
                    .build(),
                metrics.configure(new VertxOptions()),
                metrics::addTo,
                List.of(new AdminInterface(metrics)))
            .await(60, TimeUnit.SECONDS);
    try {
      int port = master.ports().rpc();
      int http = master.ports().http();
      Map<String, Finding> good = byName(checks(port, http, own.certificate()).look());
      assertThat(good.get("master").verdict()).as(good.toString()).isEqualTo(Verdict.OK);
      assertThat(good.get("master").found())
          .contains("heartbeats on " + master.ports().heartbeat());
      assertThat(good.get("clock").verdict()).as(good.toString()).isEqualTo(Verdict.OK);
      for (Path wrong : Arrays.asList(other.certificate(), none, root.resolve("missing"), null)) {
        Map<String, Finding> bad = byName(checks(port, http, wrong).look());
        assertThat(bad.get("master").verdict()).as(bad.toString()).isEqualTo(Verdict.FAIL);
        assertThat(bad.get("master").advice()).contains("--master-tls-ca");
        assertThat(bad.get("clock").verdict()).as(bad.toString()).isEqualTo(Verdict.NOTE);
      }
    } finally {
      master.close().await(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void reachesAMaster() throws Exception {
    Master master =
        Master.start(MasterConfig.builder().ephemeral().build()).await(60, TimeUnit.SECONDS);
    try {
      Finding ports = checks(master.ports().rpc(), 1, null).look().getFirst();
      assertThat(ports.verdict()).as(ports.toString()).isEqualTo(Verdict.OK);
      assertThat(ports.found()).contains("heartbeats on " + master.ports().heartbeat());
    } finally {
      master.close().await(60, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, OK, master's", "5000, WARN, behind", "-5000, WARN, ahead of"})
  void comparesTheClocks(long offMillis, Verdict verdict, String found) throws Exception {
    HttpServer http = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    http.createContext(
        "/health/live",
        exchange -> {
          byte[] body =
              ("{\"time_ms\":" + (System.currentTimeMillis() + offMillis) + "}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    http.start();
    try {
      Finding clock = checks(1, http.getAddress().getPort(), null).look().getLast();
      assertThat(clock.verdict()).as(clock.toString()).isEqualTo(verdict);
      assertThat(clock.found()).contains(found);
    } finally {
      http.stop(0);
    }
  }

  @Test
  void saysThatNoMasterAnswers() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    Map<String, Finding> findings = byName(checks(free, free, null).look());
    assertThat(findings.get("master").verdict()).isEqualTo(Verdict.FAIL);
    assertThat(findings.get("master").advice()).contains("--master");
    assertThat(findings.get("clock").verdict()).isEqualTo(Verdict.NOTE);
  }

  @Test
  void readsSettingsOfTheKernelWhole() throws IOException {
    // One byte at a time, the kernel answers with the first digit.
    Path setting = Path.of("/proc/sys/net/core/somaxconn");
    Assumptions.assumeTrue(Files.isReadable(setting));
    assertThat(new KernelFiles(Path.of("/")).number("proc/sys/net/core/somaxconn").getAsLong())
        .isGreaterThanOrEqualTo(128);
  }

  @Test
  void countsListsOfProcessors() {
    assertThat(CpuList.size("0-3,8,10-11")).isEqualTo(7);
    assertThat(CpuList.size("5")).isEqualTo(1);
    assertThat(CpuList.size("")).isZero();
  }
}
