package io.moonpool.app.documents;

import java.util.ArrayList;
import java.util.List;

/**
 * A page in Markdown, taken apart into what stays and the steps of its {@code console} blocks.
 *
 * <p>In such a block a line that starts with {@code $ } is a command, the lines after it that start
 * with {@code > } continue it, and what follows up to the next command is its answer. A block whose
 * first line says {@code terminal=NAME} holds one command, which runs in a terminal of its own and
 * does not end by itself.
 */
final class ConsoleDocument {
  private static final String FENCE = "```";
  private static final String OPENING = "```console";
  private static final String TERMINAL = "terminal=";
  private static final String PROMPT = "$ ";
  private static final String CONTINUATION = "> ";

  /** A part of the page. */
  sealed interface Part {
    /** Its text, whole lines. */
    String text();
  }

  /** What is not run. */
  record Prose(String text) implements Part {}

  /**
   * A command and its answer.
   *
   * @param line where the page has it, counted from 1
   * @param terminal the terminal that it runs in; empty for the page's own
   * @param command what a person types, lines separated by newlines
   * @param answer what the page shows; ends with a newline unless it is empty
   */
  record Step(int line, String terminal, String command, String answer) implements Part {
    @Override
    public String text() {
      return PROMPT + command.replace("\n", "\n" + CONTINUATION) + "\n" + answer;
    }

    Step with(String otherCommand, String otherAnswer) {
      return new Step(line, terminal, otherCommand, otherAnswer);
    }
  }

  private final List<Part> parts;

  private ConsoleDocument(List<Part> parts) {
    this.parts = parts;
  }

  /**
   * Takes a page apart.
   *
   * @throws IllegalArgumentException naming the line of a block that is none
   */
  static ConsoleDocument parse(String text) {
    List<Part> parts = new ArrayList<>();
    StringBuilder prose = new StringBuilder();
    String[] lines = text.split("\n", -1);
    int at = 0;
    while (at < lines.length) {
      String line = lines[at];
      append(prose, line, at, lines.length);
      at++;
      if (line.equals(OPENING) || line.startsWith(OPENING + " ")) {
        parts.add(new Prose(prose.toString()));
        prose.setLength(0);
        at = block(lines, at, terminal(line), parts);
        if (at < lines.length) {
          append(prose, lines[at], at, lines.length);
          at++;
        }
      } else if (line.startsWith(FENCE)) {
        // A block of another kind, taken whole: it may show what a console block looks like.
        while (at < lines.length && !lines[at].equals(FENCE)) {
          append(prose, lines[at], at, lines.length);
          at++;
        }
        if (at < lines.length) {
          append(prose, lines[at], at, lines.length);
          at++;
        }
      }
    }
    parts.add(new Prose(prose.toString()));
    return new ConsoleDocument(List.copyOf(parts));
  }

  private static void append(StringBuilder to, String line, int at, int lines) {
    to.append(line).append(at < lines - 1 ? "\n" : "");
  }

  private static String terminal(String opening) {
    int at = opening.indexOf(TERMINAL);
    return at < 0 ? "" : opening.substring(at + TERMINAL.length()).strip();
  }

  /** Reads the steps of a block; answers where its closing fence is. */
  private static int block(String[] lines, int from, String terminal, List<Part> parts) {
    int at = from;
    while (at < lines.length && !lines[at].equals(FENCE)) {
      if (!lines[at].startsWith(PROMPT)) {
        throw new IllegalArgumentException(
            "line " + (at + 1) + ": a console block starts with a command, '$ ...'");
      }
      int line = at + 1;
      StringBuilder command = new StringBuilder(lines[at].substring(PROMPT.length()));
      at++;
      while (at < lines.length && lines[at].startsWith(CONTINUATION)) {
        command.append('\n').append(lines[at].substring(CONTINUATION.length()));
        at++;
      }
      StringBuilder answer = new StringBuilder();
      while (at < lines.length && !lines[at].startsWith(PROMPT) && !lines[at].equals(FENCE)) {
        answer.append(lines[at]).append('\n');
        at++;
      }
      parts.add(new Step(line, terminal, command.toString(), answer.toString()));
    }
    return at;
  }

  /** The parts, in order. */
  List<Part> parts() {
    return parts;
  }

  /** The steps, in order. */
  List<Step> steps() {
    return parts.stream().filter(Step.class::isInstance).map(Step.class::cast).toList();
  }

  /** The text of a page with those parts. */
  static String text(List<Part> parts) {
    StringBuilder text = new StringBuilder();
    parts.forEach(part -> text.append(part.text()));
    return text.toString();
  }
}
