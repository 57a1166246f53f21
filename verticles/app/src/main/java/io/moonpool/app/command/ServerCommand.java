package io.moonpool.app.command;

import io.moonpool.app.config.Component;
import io.moonpool.app.config.GivenSetting;
import io.moonpool.app.config.Settings;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.OutputOption;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Starts one server in this process and ends with it. Runs on the main thread; the server has its
 * own.
 *
 * @param <R> the server's configuration
 */
abstract class ServerCommand<R extends Record> implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ServerCommand.class);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

  private final Component<R> component;
  private final List<GivenSetting> assignments = new ArrayList<>();
  private @Nullable SettingFlags flags;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "YAML file with settings. Without it: the file that the environment names"
              + " (MOONPOOL_MASTER_CONFIG, MOONPOOL_NODE_CONFIG), else conf/master.yaml or"
              + " conf/node.yaml, if there.")
  private @Nullable Path file;

  @Option(
      names = "--ports-file",
      paramLabel = "FILE",
      description = "Write address, ports and process id to this file, as JSON, when ready.")
  private @Nullable Path portsFile;

  @Option(
      names = "--check",
      description =
          "Print the configuration and where each value comes from, and end. With --output json as"
              + " JSON.")
  private boolean checkOnly;

  @Mixin private OutputOption output = new OutputOption();

  @Option(
      names = "--stop-on-eof",
      description = "Also stop when stdin ends; for processes that start this one as their child.")
  private boolean stopOnEof;

  ServerCommand(Component<R> component) {
    this.component = component;
  }

  /** Adds a flag for each setting; called once, when the command line is put together. */
  final void addSettingFlags(CommandSpec command) {
    flags = SettingFlags.addTo(command, component);
  }

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Set a setting by its name in the file. May be repeated.")
  void addAssignment(List<String> assignment) {
    // picocli hands over the whole list each time it grows.
    assignments.clear();
    for (String each : assignment) {
      int equals = each.indexOf('=');
      if (equals < 1) {
        throw new picocli.CommandLine.ParameterException(
            spec.commandLine(), "--set wants NAME=VALUE, but got '" + each + "'");
      }
      assignments.add(
          new GivenSetting(each.substring(0, equals).strip(), each.substring(equals + 1), "--set"));
    }
  }

  /** A server that runs. */
  interface Running {
    /** Where it listens; nothing in it is secret. */
    ServerAddress address();

    /** Closes it; completes when nothing of it is left. */
    Future<Void> close();
  }

  /**
   * Starts the server.
   *
   * @return fails with a sentence for people; nothing is left running then
   */
  abstract Future<? extends Running> start(R config);

  /** How long closing may take. */
  Duration closeLimit(R config) {
    return CLOSE_LIMIT;
  }

  @Override
  public final Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Settings<R> settings = load(System.getenv());
    if (checkOnly) {
      out.println(output.json() ? settings.toJson().encode() : settings.describe());
      out.flush();
      return ExitCode.OK.number();
    }
    LOG.info(
        "moonpool {} {}, process {}, on Java {}; configuration:\n{}",
        component.name(),
        MoonpoolCommand.Version.text(),
        ProcessHandle.current().pid(),
        Runtime.version(),
        settings.describe().indent(2).stripTrailing());
    StopSignal stop = StopSignal.install(closeLimit(settings.config()));
    if (stopOnEof) {
      stop.watchStdin();
    }
    int code = ExitCode.FAILED.number();
    try {
      code = run(settings.config(), stop, out).number();
    } catch (CommandFailure e) {
      code = e.exitCode().number();
      throw e;
    } finally {
      stop.finished(code);
    }
    return code;
  }

  /** The configuration under that environment. */
  final Settings<R> load(Map<String, String> environment) {
    List<GivenSetting> given = new ArrayList<>(assignments);
    if (flags != null) {
      given.addAll(flags.given());
    }
    Path defaultFile = Home.folder().resolve("conf").resolve(component.name() + ".yaml");
    return Settings.load(component, file, defaultFile, environment, given);
  }

  private ExitCode run(R config, StopSignal stop, PrintWriter out) throws InterruptedException {
    CompletableFuture<Running> started = new CompletableFuture<>();
    start(config)
        .onComplete(
            result -> {
              if (result.succeeded()) {
                started.complete(result.result());
              } else {
                started.completeExceptionally(result.cause());
              }
            });
    try {
      // Without a limit: a node waits for its master.
      CompletableFuture.anyOf(started, stop.requested()).get();
    } catch (ExecutionException e) {
      throw failure("the " + component.name() + " does not start", e.getCause());
    }
    if (!started.isDone()) {
      LOG.info("stopped before it was ready");
      return ExitCode.OK;
    }
    Running server = started.join();
    announce(server.address(), out);
    stop.requested().join();
    LOG.info("stopping");
    try {
      server
          .close()
          .toCompletionStage()
          .toCompletableFuture()
          .get(closeLimit(config).toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      CommandFailure failure =
          failure("the " + component.name() + " did not close in order", e.getCause());
      // The process may end before its command line has printed it.
      LOG.error("{}", failure.getMessage());
      throw failure;
    } catch (TimeoutException e) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "the "
              + component.name()
              + " did not close within "
              + closeLimit(config).toSeconds()
              + " s");
    }
    LOG.info("stopped");
    return ExitCode.OK;
  }

  private void announce(ServerAddress address, PrintWriter out) {
    if (portsFile != null) {
      try {
        address.write(portsFile);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write " + portsFile, e);
      }
    }
    LOG.info("ready: {}", address.line());
    out.println("READY " + address.line());
    out.flush();
  }

  private static CommandFailure failure(String what, @Nullable Throwable cause) {
    if (cause == null) {
      return new CommandFailure(ExitCode.FAILED, what);
    }
    LOG.debug("{}", what, cause);
    ExitCode code =
        cause instanceof io.moonpool.model.StoreException store
            ? ExitCode.of(store.code())
            : ExitCode.FAILED;
    String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return new CommandFailure(code, what + ": " + why);
  }
}
