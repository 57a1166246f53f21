package io.moonpool.app.command.client;

import io.moonpool.app.drain.MasterRest;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.Terminal;
import io.moonpool.app.shell.Tone;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.io.PrintWriter;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client top}. */
@Command(
    name = "top",
    description = {
      "Show the pool as it is: nodes, segments, rates and drains, until Ctrl-C.",
      "On a terminal the page is drawn over; elsewhere one follows the other, and with --output json"
          + " each is one line. While the master does not answer, what it said last stays."
    })
final class TopCommand implements Callable<Integer> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final String EVENTS = "/api/v1/events";
  private static final long COMPLETE_MILLIS = 10_000;
  private static final long SILENCE_SECONDS = 5;
  private static final long LEAST_INTERVAL_MILLIS = 100;

  /** Another screen, so that what was on the terminal is there again afterwards; no cursor. */
  private static final String ENTER = "\033[?1049h\033[?25l";

  private static final String LEAVE = "\033[?25h\033[?1049l";
  private static final String HOME = "\033[H";
  private static final String REST_OF_LINE = "\033[K";
  private static final String REST_OF_SCREEN = "\033[J";

  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();
  @Mixin private AdminOptions admin = new AdminOptions();

  @Option(names = "--once", description = "Print one page and end.")
  private boolean once;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "2s",
      description = "Time between two pages, at least 100ms. Default: 2s.")
  private String interval = "2s";

  private final PoolWatch pool = new PoolWatch();
  private long heardNanos = System.nanoTime();
  private boolean left;

  @Override
  public Integer call() throws InterruptedException {
    long millis = DrainWait.millis(client, "--interval", interval);
    if (millis < LEAST_INTERVAL_MILLIS) {
      throw client.wrong("--interval must be at least " + LEAST_INTERVAL_MILLIS + "ms");
    }
    return admin.askRest(client, rest -> once ? once(rest) : show(rest, millis));
  }

  private ExitCode once(MasterRest rest) throws InterruptedException {
    try (MasterRest.Events events = rest.events(EVENTS)) {
      listen(events, COMPLETE_MILLIS, true);
    }
    if (!pool.isComplete()) {
      throw new StoreException(
          ErrorCode.RPC_TIMEOUT, "the master has not told within 10 s how its pool is");
    }
    print();
    return ExitCode.OK;
  }

  /** Ends with the process. */
  private ExitCode show(MasterRest rest, long intervalMillis) throws InterruptedException {
    // The first connection says whether there is such a master; those after it are tried for ever.
    MasterRest.Events events = rest.events(EVENTS);
    listen(events, COMPLETE_MILLIS, true);
    boolean drawing = !client.json() && Terminal.isThere();
    if (drawing) {
      Runtime.getRuntime().addShutdownHook(new Thread(this::leave, "moonpool-top-screen"));
      enter();
    }
    String away = "";
    while (true) {
      tell(drawing, away.isEmpty() ? silence() : away);
      if (!events.isOver()) {
        listen(events, intervalMillis, false);
        away = events.isOver() ? "the master has ended the connection; trying again" : "";
        continue;
      }
      Thread.sleep(intervalMillis);
      try {
        events = rest.events(EVENTS);
        listen(events, COMPLETE_MILLIS, true);
        away = "";
      } catch (StoreException e) {
        away = "the master does not answer; trying again: " + e.sentence();
      }
    }
  }

  /** A master that is stopped keeps its connections and says nothing. */
  private String silence() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - heardNanos);
    return seconds < SILENCE_SECONDS
        ? ""
        : "the master has said nothing for " + seconds + " s; this is what it said last";
  }

  private void tell(boolean drawing, String trouble) {
    if (drawing) {
      draw(trouble);
    } else if (trouble.isEmpty()) {
      print();
    } else {
      spec.commandLine().getErr().println("moonpool: " + trouble);
      spec.commandLine().getErr().flush();
    }
  }

  private synchronized void enter() {
    spec.commandLine().getOut().print(ENTER);
  }

  /** Nothing is drawn any more when the terminal is as it was. */
  private synchronized void leave() {
    left = true;
    spec.commandLine().getOut().print(LEAVE);
    spec.commandLine().getOut().flush();
  }

  /** Takes what is told for so long, or until all is known that was wanted. */
  private void listen(MasterRest.Events events, long millis, boolean untilComplete)
      throws InterruptedException {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!events.isOver() && !(untilComplete && pool.isComplete())) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      if (leftMillis <= 0) {
        return;
      }
      MasterRest.Event event = events.next(leftMillis);
      if (event != null) {
        heardNanos = System.nanoTime();
        pool.heard(event);
      }
    }
  }

  private List<PoolPage.Line> page(String trouble) {
    return PoolPage.of(pool, LocalTime.now(ZoneId.systemDefault()).format(TIME), trouble);
  }

  private void print() {
    PrintWriter out = spec.commandLine().getOut();
    if (client.json()) {
      out.println(pool.toJson(System.currentTimeMillis()).encode());
    } else {
      boolean coloured = Terminal.hasColours();
      page("").forEach(line -> out.println(line.tone().of(line.text(), coloured)));
      if (!once) {
        out.println();
      }
    }
    out.flush();
  }

  private synchronized void draw(String trouble) {
    if (left) {
      return;
    }
    PrintWriter out = spec.commandLine().getOut();
    Terminal.Size size = Terminal.size();
    out.print(screen(page(trouble), size, Terminal.hasColours()));
    out.flush();
  }

  /** What draws a page over the one before; as much of it as there is room for. */
  static String screen(List<PoolPage.Line> page, Terminal.Size size, boolean coloured) {
    StringBuilder screen = new StringBuilder(HOME);
    int most = size.rows() - 1;
    int shown = page.size() <= most ? page.size() : most - 1;
    for (PoolPage.Line line : page.subList(0, shown)) {
      String text = line.text();
      String fitted = text.length() > size.columns() ? text.substring(0, size.columns()) : text;
      screen.append(line.tone().of(fitted, coloured)).append(REST_OF_LINE).append("\r\n");
    }
    if (shown < page.size()) {
      String more = (page.size() - shown) + " more lines: --once prints all";
      screen.append(Tone.TITLE.of(more, coloured)).append(REST_OF_LINE).append("\r\n");
    }
    return screen.append(REST_OF_SCREEN).toString();
  }
}
