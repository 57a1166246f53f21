package io.moonpool.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.shell.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a command line is told before anything is started. */
class UsageTest {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "demo --nodes 1                       | --nodes must be 2 to 16",
        "demo --nodes 17                      | --nodes must be 2 to 16",
        "demo --replicas 4                    | --replicas must be 1 to the number of nodes",
        "demo --parallel 0                    | --parallel must be 1 to 64",
        "demo --generate lots                 | --generate: 'lots' is not a size",
        "demo none.bin                        | there is no file none.bin",
        "doctor --master nowhere              | --master must be HOST:PORT, not 'nowhere'",
        "doctor --master host:70000           | a port is 1 to 65535",
        "demo --transport pigeon              | --transport must be shm, ucx or tcp",
        "client ls --master nowhere           | --master must be HOST:PORT, not 'nowhere'",
        "client ls --master host:port         | --master must be HOST:PORT, not 'host:port'",
        "client ls --master host:70000        | masterPort must be 1 to 65535",
        "client ls --output xml               | xml",
        "client ls --part-size 1              | partBytes must be 1 MiB",
        "client put                           | FILE",
        "client put none.bin                  | there is no file none.bin",
        "client put -                         | stdin has no name: give it one with --key",
        "client put - --key k --wait-for-space-ms -1 | --wait-for-space-ms must be 0 to 45000",
        "client top --interval soon           | --interval: 'soon' is not a time",
        "client top --interval 1ms            | --interval must be at least 100ms",
        "completion                           | SHELL",
        "completion fish                      | fish",
        "doctor --output xml                  | xml",
        "client disk stat                     | DISK",
        "client disk gc --dead-ratio half     | --dead-ratio",
        "demo --disk-dir none                 | --disk-dir: there is no folder none",
        "bench disk --dir none                | --dir: there is no folder none",
        "bench disk --bytes 4097              | --bytes must be multiples of 4096",
        "bench drain --dir none               | --dir: there is no folder none",
        "bench drain --total 1KiB             | --total must be at least --large",
        "bench allocator --gib 0              | --gib must be 1 to 1024",
        "bench disk --readers 0               | --readers must be 1 to 256",
        "client drain                         | name a NODE, or segments with --segments",
        "client drain a --segments a-0        | name a NODE, or segments with --segments",
        "client drain a --plan --wait         | --plan does nothing that could be waited for",
        "client drain a --max-rate fast       | --max-rate: 'fast' is not a size",
        "client drain a --deadline soon       | --deadline: 'soon' is not a time",
        "client drain a --wait-timeout 5      | --wait-timeout: '5' is not a time",
        "client drains --admin nowhere        | --admin must be HOST:PORT, not 'nowhere'",
        "client drain-status                  | JOB",
        "client undrain                       | Missing required parameter",
        "client move k --from a-0             | --to",
        "bench heartbeat --keys 10            | --keys must be 1000 to 18000000",
        "bench replay none.jsonl              | none.jsonl is no file that can be read",
        "bench replay --block-mib 0           | --block-mib must be 1 to 1024",
        "bench master --keys 10               | --keys must be 1000 to 18000000",
        "bench master --rows speed            | speed",
        "bench master --reference none.json   | none.json is no file that can be read",
        "bench heartbeat --ablation all       | --ablation must be none, shared-loop or lock",
        "client get                           | KEY",
        "client rm                            | name the objects, or say which with --matching",
        "client rm key --matching x           | name the objects, or say which with --matching",
        "master --set rpc_port                | --set wants NAME=VALUE",
        "master --rpc-port                    | --rpc-port",
        "node --colour blue                   | --colour"
      })
  void isRefused(String line, String message) {
    assertThat(run(line.strip().split(" "))).isEqualTo(ExitCode.USAGE.number());
    assertThat(err.toString()).contains(message.strip()).contains("--help");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void emptyFilesAndFoldersAreTold() throws IOException {
    Path empty = Files.createFile(folder.resolve("empty"));
    assertThat(run("client", "put", empty.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(empty + " is empty");
    assertThat(run("client", "put", folder.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(folder + " is a folder: store its files with --recursive");
    assertThat(run("demo", empty.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("there is nothing to store");
  }

  @Test
  void checkPrintsTheConfigurationWithOriginsAndStartsNothing() throws IOException {
    Path file = folder.resolve("my.yaml");
    Files.writeString(file, "lease_ttl_ms: 1234\n");
    assertThat(run("master", "--config", file.toString(), "--rpc-port", "7", "--check")).isZero();
    assertThat(out.toString())
        .contains("rpc_port: 7   # --rpc-port\n")
        .contains("lease_ttl_ms: 1234   # " + file + " line 1\n");
  }

  @Test
  void aFlagWinsOverAnAssignment() {
    assertThat(run("master", "--rpc-port=7", "--set", "rpc_port=8", "--check")).isZero();
    assertThat(out.toString()).contains("rpc_port: 7   # --rpc-port\n");
  }

  @Test
  void secretsHaveNoFlag() {
    assertThat(run("master", "--admin-token=s3cret", "--check")).isEqualTo(2);
    assertThat(run("master", "--set", "admin_token=s3cret", "--check")).isZero();
    assertThat(out.toString()).contains("admin_token: (set)").doesNotContain("s3cret");
  }

  private int run(String... args) {
    return MoonpoolCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }
}
