package io.moonpool.app.command;

import io.moonpool.app.doctor.Doctor;
import io.moonpool.app.doctor.Finding;
import io.moonpool.app.doctor.Finding.Verdict;
import io.moonpool.app.shell.Arguments;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.HostPort;
import io.moonpool.app.shell.OutputOption;
import io.moonpool.app.shell.Terminal;
import io.moonpool.app.shell.Tone;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code moonpool doctor}. */
@Command(
    name = "doctor",
    description = {
      "Tell what this machine can do for Moonpool, and what to do about what it cannot.",
      "Exit code 0: nothing hinders; 1: something does not work, or with --strict could be better."
    })
final class DoctorCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--master",
      paramLabel = "HOST:PORT",
      defaultValue = "${env:MOONPOOL_MASTER:-}",
      description = {
        "Also look whether this master's ports can be reached, and at its clock.",
        "Environment: MOONPOOL_MASTER. Default: none."
      })
  private String master = "";

  @Option(
      names = "--admin-port",
      paramLabel = "N",
      defaultValue = "9003",
      description = "The master's HTTP port. Default: 9003.")
  private int adminPort;

  @Option(
      names = "--master-tls-ca",
      paramLabel = "FILE",
      description = "PEM file with the certificates to trust the master by. Default: no TLS.")
  private @Nullable Path tlsCa;

  @Option(
      names = "--disk-dir",
      paramLabel = "FOLDER",
      description = "Also look at the file system of this folder, where a node's disk is to be.")
  private @Nullable Path diskDir;

  @Option(names = "--strict", description = "Fail also when something could be better.")
  private boolean strict;

  @Mixin private OutputOption output = new OutputOption();

  @Option(names = "--json", description = "The same as --output json.")
  private boolean json;

  @Override
  public Integer call() {
    List<Finding> findings = new Doctor(Path.of("/"), diskDir, master()).look();
    Verdict worst =
        findings.stream().map(Finding::verdict).max(Verdict::compareTo).orElse(Verdict.OK);
    PrintWriter out = spec.commandLine().getOut();
    if (json || output.json()) {
      JsonArray checks = new JsonArray();
      findings.forEach(finding -> checks.add(finding.toJson()));
      out.println(new JsonObject().put("verdict", worst.name()).put("checks", checks).encode());
    } else {
      findings.forEach(finding -> print(out, finding));
    }
    out.flush();
    boolean failed = worst == Verdict.FAIL || (strict && worst == Verdict.WARN);
    return (failed ? ExitCode.FAILED : ExitCode.OK).number();
  }

  private static void print(PrintWriter out, Finding finding) {
    out.println(
        String.format(
            Locale.ROOT,
            "%s  %-18s %s",
            tone(finding.verdict())
                .of(String.format(Locale.ROOT, "%-4s", finding.verdict()), Terminal.hasColours()),
            finding.check(),
            finding.found()));
    if (!finding.advice().isEmpty()) {
      out.println(String.format(Locale.ROOT, "%-4s  %-18s -> %s", "", "", finding.advice()));
    }
  }

  private static Tone tone(Verdict verdict) {
    return switch (verdict) {
      case OK -> Tone.GOOD;
      case NOTE -> Tone.PLAIN;
      case WARN -> Tone.WARNING;
      case FAIL -> Tone.BAD;
    };
  }

  private Doctor.@Nullable Master master() {
    if (master.isEmpty()) {
      return null;
    }
    HostPort address;
    try {
      address = HostPort.parse(master);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--master " + e.getMessage(), e);
    }
    Arguments.require(spec, isPort(address.port()) && isPort(adminPort), "a port is 1 to 65535");
    return new Doctor.Master(address.host(), address.port(), adminPort, tlsCa);
  }

  private static boolean isPort(int port) {
    return port >= 1 && port <= 65_535;
  }
}
