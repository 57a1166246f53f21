package io.moonpool.app.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.app.documents.ConsoleDocument.Part;
import io.moonpool.app.documents.ConsoleDocument.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the {@code console} blocks of a document, in order, and compares what comes back with what
 * the document shows. With {@code -Dmoonpool.transcripts=write} it writes what came back into the
 * document instead.
 */
final class Transcript implements AutoCloseable {
  static final Path ROOT = Path.of(System.getProperty("moonpool.root"));
  private static final boolean WRITE = "write".equals(System.getProperty("moonpool.transcripts"));
  private static final String READY = "READY ";
  private static final long LIMIT_SECONDS = 120;
  private static final int LINE = 110;

  private final Path document;
  private final Path folder;
  private final Map<String, String> environment;
  private final Map<String, String> words;
  private final Bindings bindings;
  private final Shell shell;
  private final Map<String, Shell> terminals = new LinkedHashMap<>();

  /**
   * A transcript that did nothing yet.
   *
   * @param document from the root of the project
   * @param folder where its commands run
   * @param environment for its commands
   * @param words what words of the document, such as default ports, stand for in this run
   */
  Transcript(
      String document, Path folder, Map<String, String> environment, Map<String, String> words)
      throws IOException {
    this.document = ROOT.resolve(document);
    this.folder = folder;
    this.environment = Map.copyOf(environment);
    this.words = Map.copyOf(words);
    this.bindings = new Bindings(words);
    this.shell = Shell.start(folder, environment, null);
  }

  /**
   * Makes a folder look like that of the project to commands of a document: its launcher, which
   * runs the packaged application and builds nothing, and its README.
   *
   * @return the environment that goes with it
   */
  static Map<String, String> project(Path folder, Path jar) throws IOException {
    Files.createDirectories(folder.resolve("conf"));
    for (String name : List.of("moonpool", "README.md", "conf/jvm.options")) {
      Files.copy(ROOT.resolve(name), folder.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
    }
    Map<String, String> environment = new HashMap<>();
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("MOONPOOL_JAR", jar.toString());
    return environment;
  }

  /** Runs all of it, and fails at the first answer that is not as shown. */
  void run() throws IOException, InterruptedException {
    ConsoleDocument page = ConsoleDocument.parse(Files.readString(document));
    assertThat(page.steps()).as("commands in %s", document).isNotEmpty();
    List<Part> written = new ArrayList<>();
    for (Part part : page.parts()) {
      written.add(part instanceof Step step ? run(step) : part);
    }
    if (WRITE) {
      Files.writeString(document, ConsoleDocument.text(written));
    }
  }

  private Step run(Step step) throws IOException, InterruptedException {
    String command = bindings.toActual(step.command());
    // A number that stands for nothing could be anybody's process.
    assertThat(command.startsWith("kill ") && command.equals(step.command()))
        .as("%s line %d kills a process that the page has not shown", document, step.line())
        .isFalse();
    String answer = answer(step.terminal(), command);
    AnswerComparison comparison = new AnswerComparison(bindings);
    Optional<String> difference = comparison.difference(step.answer(), answer);
    if (WRITE) {
      // Later commands of the page name ids of an answer that has changed, too.
      comparison.bindInOrder(step.answer(), answer);
      return step.with(Bindings.toShown(command, words), written(answer));
    }
    assertThat(difference)
        .as("%s line %d: %s\nanswered\n%s", document, step.line(), command, answer)
        .isEmpty();
    return step;
  }

  private String answer(String terminal, String command) throws IOException, InterruptedException {
    if (terminal.isEmpty()) {
      return shell.run(command, LIMIT_SECONDS).output();
    }
    Shell other = Shell.start(folder, environment, folder.resolve(terminal + ".log"));
    assertThat(terminals.putIfAbsent(terminal, other)).as("terminal %s", terminal).isNull();
    other.type(command);
    return other.awaitLine(command, READY, LIMIT_SECONDS);
  }

  private String written(String answer) {
    String text =
        AnswerComparison.json(answer)
            .filter(json -> answer.strip().lines().count() == 1 && answer.length() > LINE)
            .map(JsonLayout::of)
            .orElse(answer);
    String shown = Bindings.toShown(text, words);
    return shown.isEmpty() || shown.endsWith("\n") ? shown : shown + "\n";
  }

  /** Waits until what runs in the document's terminals has ended; exit codes by terminal. */
  Map<String, Integer> exitCodes() throws InterruptedException {
    Map<String, Integer> codes = new HashMap<>();
    for (Map.Entry<String, Shell> terminal : terminals.entrySet()) {
      int code = terminal.getValue().awaitEnd(terminal.getKey(), LIMIT_SECONDS).exitCode();
      codes.put(terminal.getKey(), code);
    }
    return codes;
  }

  /** Kills what still runs. */
  @Override
  public void close() {
    shell.close();
    terminals.values().forEach(Shell::close);
  }
}
