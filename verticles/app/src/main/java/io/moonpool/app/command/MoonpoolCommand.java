package io.moonpool.app.command;

import io.moonpool.app.command.bench.BenchCommand;
import io.moonpool.app.command.client.ClientCommand;
import io.moonpool.app.config.ConfigurationException;
import io.moonpool.app.demo.DemoFailure;
import io.moonpool.app.logging.LogLevels;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.Terminal;
import io.moonpool.model.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;

/** The root of the command line: options that every command knows, errors, exit codes. */
@Command(
    name = "moonpool",
    description = {
      "Moonpool, a distributed key-value cache for LLM inference.",
      "Machines lend memory to one pool; a master keeps the index; bytes move between the machines."
    },
    subcommands = {CommandLine.HelpCommand.class},
    versionProvider = MoonpoolCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND")
public final class MoonpoolCommand {
  private final List<String> logLevels = new ArrayList<>();

  private MoonpoolCommand() {}

  /**
   * Runs a command line on the calling thread.
   *
   * @return the exit code of the process
   */
  public static int run(String... args) {
    return commandLine().execute(args);
  }

  /** The whole command line, ready to execute. Tests give it other writers. */
  static CommandLine commandLine() {
    MoonpoolCommand root = new MoonpoolCommand();
    CommandLine line = new CommandLine(root);
    addServer(line, new MasterCommand());
    addServer(line, new NodeCommand());
    line.addSubcommand(new ClientCommand());
    line.addSubcommand(new DemoCommand());
    line.addSubcommand(new DoctorCommand());
    line.addSubcommand(new BenchCommand());
    line.addSubcommand(new CompletionCommand());
    line.addSubcommand(new VersionCommand());
    line.setExecutionStrategy(root::execute);
    line.setExecutionExceptionHandler(MoonpoolCommand::failed);
    line.setParameterExceptionHandler(MoonpoolCommand::wrongUsage);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setUsageHelpAutoWidth(true);
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(
            Terminal.hasColours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
    document(line);
    return line;
  }

  private static void addServer(CommandLine line, ServerCommand<?> command) {
    CommandLine sub = new CommandLine(command);
    command.addSettingFlags(sub.getCommandSpec());
    line.addSubcommand(sub);
  }

  @Option(
      names = "--log-level",
      scope = ScopeType.INHERIT,
      paramLabel = "LEVEL|LOGGER=LEVEL",
      description = {
        "How much to log, to stderr: error, warn, info, debug or trace; for one logger: io.netty=debug.",
        "Default: info for servers, error for others. May be repeated. Environment: MOONPOOL_LOG_LEVEL (separated by commas)."
      })
  void addLogLevel(List<String> levels) {
    logLevels.addAll(levels);
  }

  private int execute(ParseResult parsed) {
    try {
      LogLevels.apply(usualLogLevel(parsed), logLevels);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(
          parsed.commandSpec().commandLine(), "--log-level: " + e.getMessage());
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  /** Servers tell what they do; what people run in a terminal does so by its own output. */
  private static String usualLogLevel(ParseResult parsed) {
    Object last = parsed.asCommandLineList().getLast().getCommand();
    return last instanceof ServerCommand<?> ? "info" : "error";
  }

  /** Adds what all commands' help has in common. */
  private static void document(CommandLine line) {
    // picocli's help command brings its own --help.
    if (!(line.getCommand() instanceof CommandLine.HelpCommand)) {
      line.addMixin("standard", new StandardOptions());
    }
    line.getCommandSpec()
        .usageMessage()
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(ExitCode.forHelp())
        .commandListHeading("%nCommands:%n")
        .optionListHeading("%nOptions:%n")
        .parameterListHeading("%n");
    line.getSubcommands().values().forEach(MoonpoolCommand::document);
  }

  private static int wrongUsage(CommandLine.ParameterException wrong, String[] args) {
    CommandLine line = wrong.getCommandLine();
    PrintWriter err = line.getErr();
    err.println("moonpool: " + wrong.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err);
    err.println("Try '" + line.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE.number();
  }

  private static int failed(
      Exception failure, CommandLine line, @Nullable ParseResult unusedParsed) {
    PrintWriter err = line.getErr();
    return switch (failure) {
      case ConfigurationException e -> {
        err.println("moonpool: " + e.getMessage());
        yield ExitCode.CONFIGURATION.number();
      }
      case CommandFailure e -> {
        err.println("moonpool: " + e.getMessage());
        yield e.exitCode().number();
      }
      case DemoFailure e -> {
        err.println("moonpool: " + e.getMessage());
        yield ExitCode.FAILED.number();
      }
      case IOException e -> {
        err.println("moonpool: " + e.getMessage());
        yield ExitCode.FAILED.number();
      }
      case StoreException e -> {
        err.println("moonpool: " + e.getMessage());
        yield ExitCode.of(e.code()).number();
      }
      default -> {
        err.println("moonpool: internal fault, please report it:");
        failure.printStackTrace(err);
        yield ExitCode.FAILED.number();
      }
    };
  }

  /** {@code --help} and {@code --version}. */
  @Command(mixinStandardHelpOptions = true, versionProvider = Version.class)
  private static final class StandardOptions {}

  /** Reads the version from the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"moonpool " + text() + " (Java " + Runtime.version() + ")"};
    }

    /** The version, or {@code (unpackaged)} when the classes do not come from the jar. */
    static String text() {
      String version = MoonpoolCommand.class.getPackage().getImplementationVersion();
      return version == null ? "(unpackaged)" : version;
    }
  }
}
