package io.moonpool.bench.heartbeat;

import io.moonpool.model.ClientState;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One run: clients, load, a storm, and what the clients saw of it. Blocks the thread that calls it.
 */
public final class HeartbeatBench {
  private static final long SETTLE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final double TOLERANCE_MILLIS = 200;
  private static final double SLICE_GOAL_MILLIS = 10;
  private static final double TRIP_PERCENTILE = 99.9;
  static final double TRIP_GOAL_MILLIS = 50;
  private static final double MILLI = 1e6;

  private final HeartbeatSettings settings;
  private final HeartbeatPool pool;
  private final MasterUnderTest master;
  private final Vertx vertx;
  private final Consumer<String> progress;
  private final List<Client> originals = new ArrayList<>();
  private final List<Client> others = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private double stormMillis;

  /**
   * A run against a master that holds the pool of the settings, all of it restored.
   *
   * @param vertx for the load's connections
   * @param progress is told what goes on, in sentences
   */
  public HeartbeatBench(
      HeartbeatSettings settings, MasterUnderTest master, Vertx vertx, Consumer<String> progress) {
    this.settings = settings;
    this.pool = settings.pool();
    this.master = master;
    this.vertx = vertx;
    this.progress = progress;
  }

  /**
   * Runs it.
   *
   * @throws IOException when the master's metrics or log cannot be read
   */
  public HeartbeatFigures run() throws IOException, InterruptedException {
    try (Hiccups hiccups = new Hiccups(settings.originals());
        MasterFiguresReader metrics = new MasterFiguresReader(master);
        LivenessWatch watch = new LivenessWatch(vertx, master, pool);
        ExistsLoad load =
            new ExistsLoad(
                vertx,
                master,
                settings.pings(),
                pool.keys(),
                settings.loadThreads(),
                settings.pipeline())) {
      hiccups.start();
      progress.accept("clients join");
      originals.addAll(join(0, settings.originals()));
      if (settings.scenario() == Scenario.S2) {
        others.addAll(join(settings.originals(), pool.clients()));
      }
      watch.start();
      load.start();
      sleep(settings.warmUpMillis());
      return measure(hiccups, metrics, watch, load);
    } finally {
      originals.forEach(Client::close);
      others.forEach(Client::close);
    }
  }

  private List<Client> join(int from, int to) throws InterruptedException {
    List<Callable<Client>> joins = new ArrayList<>();
    for (int i = from; i < to; i++) {
      int number = i;
      joins.add(() -> Client.join(vertx, master, pool, number, settings.pings()));
    }
    return Together.run(joins);
  }

  private HeartbeatFigures measure(
      Hiccups hiccups, MasterFiguresReader metrics, LivenessWatch watch, ExistsLoad load)
      throws IOException, InterruptedException {
    // The first scrape warms up what the next ones use.
    metrics.read();
    master.meters().reset();
    MasterFiguresReader.Scrape before = metrics.read();
    long gcMark = GcLog.mark(master.gcLog());
    Duration cpuBefore = cpu();
    long askedBefore = load.asked();
    hiccups.reset();
    long from = System.nanoTime();
    long end = from + TimeUnit.SECONDS.toNanos(settings.seconds());
    progress.accept("measuring, with " + before.objects() + " keys");

    Death death = Death.NONE;
    Disturbances disturbances = new Disturbances(vertx, master, pool);
    try {
      if (settings.scenario() == Scenario.S4) {
        disturbances.start(originals.getFirst());
      }
      sleep(settings.stormMillis());
      progress.accept(settings.scenario().title());
      switch (settings.scenario()) {
        case S1, S4 -> storm(() -> others.addAll(join(settings.originals(), pool.clients())));
        case S2 -> storm(this::unmountOthers);
        case S3 -> death = die(watch);
      }
      sleepUntil(end);
    } finally {
      disturbances.stop();
    }
    notes.addAll(disturbances.notes());
    long ledger = ledger(disturbances.putKeys());
    long to = System.nanoTime();
    double seconds = (to - from) / 1e9;
    double cpuShare = cpu().minus(cpuBefore).toNanos() / 1e9 / seconds;
    long asked = load.asked() - askedBefore;
    load.close();
    double hiccup = hiccups.worstNanos() / MILLI;
    GcLog gc = GcLog.since(master.gcLog(), gcMark);
    List<MasterUnderTest.Slice> slices = master.meters().longest();
    MasterFiguresReader.Scrape after = settled(metrics, ledger, before);
    long evicted = after.evicted() - before.evicted();
    if (evicted > 0) {
      notes.add(String.format(Locale.ROOT, "%,d objects were evicted", evicted));
    }
    if (load.failures() > 0) {
      notes.add(load.failures() + " batches of the load failed");
    }
    Death died = death;
    List<ClientGaps> gaps =
        originals.stream()
            .filter(client -> client.number() != died.client())
            .map(client -> ClientGaps.of(client.number(), client.sender().acks(), from, to))
            .toList();
    long remounts = originals.stream().mapToLong(client -> client.sender().remounts()).sum();
    long suspected = after.suspected() - before.suspected();
    long offline = after.offline() - before.offline();
    HeartbeatFigures figures =
        new HeartbeatFigures(
            settings,
            before.objects(),
            after.objects(),
            ledger - evicted,
            gaps,
            hiccup,
            suspected,
            offline,
            remounts,
            slices,
            new HeartbeatFigures.Pauses(
                gc.longestPauseMillis(),
                gc.longestReachMillis(),
                gc.stalls(),
                gc.heartbeatStalls()),
            cpuShare,
            stormMillis,
            asked,
            died.suspectedMillis(),
            died.offlineMillis(),
            notes,
            List.of());
    return judged(figures);
  }

  /** A storm. */
  private interface Storm {
    void blow() throws InterruptedException;
  }

  private void storm(Storm storm) throws InterruptedException {
    long started = System.nanoTime();
    storm.blow();
    stormMillis = (System.nanoTime() - started) / MILLI;
  }

  private void unmountOthers() throws InterruptedException {
    List<Callable<Boolean>> unmounts = new ArrayList<>();
    for (Client client : others) {
      unmounts.add(
          () -> {
            client.unmount();
            return true;
          });
    }
    Together.run(unmounts);
  }

  /**
   * What became of the client that died.
   *
   * @param client -1 when none did
   */
  private record Death(int client, double suspectedMillis, double offlineMillis) {
    static final Death NONE = new Death(-1, 0, 0);
  }

  private Death die(LivenessWatch watch) throws InterruptedException {
    Client dying = originals.getLast();
    dying.close();
    long last = dying.sender().acks().getLast().ackedNanos();
    long limit =
        last
            + TimeUnit.MILLISECONDS.toNanos(
                2 * (settings.activeTtlMillis() + settings.suspicionTtlMillis()));
    Optional<Double> offline = Optional.empty();
    while (offline.isEmpty() && System.nanoTime() < limit) {
      sleep(20);
      offline = seen(watch, dying.number(), ClientState.OFFLINE, last);
    }
    return new Death(
        dying.number(),
        seen(watch, dying.number(), ClientState.SUSPECTED, last).orElse(-1.0),
        offline.orElse(-1.0));
  }

  private static Optional<Double> seen(
      LivenessWatch watch, int client, ClientState state, long lastNanos) {
    return watch.sightings().stream()
        .filter(each -> each.client() == client && each.state() == state)
        .findFirst()
        .map(each -> (each.atNanos() - lastNanos) / MILLI);
  }

  /** How many keys there must be at the end, evicted ones included. */
  private long ledger(long putKeys) {
    long kept = 0;
    for (int client = 0; client < pool.clients(); client++) {
      boolean gone =
          switch (settings.scenario()) {
            case S1, S4 -> false;
            case S2 -> client >= settings.originals();
            case S3 -> client == settings.originals() - 1;
          };
      kept += gone ? 0 : pool.keysOf(client);
    }
    return kept + putKeys;
  }

  /** Waits until the index has what it must have, or long enough. */
  private MasterFiguresReader.Scrape settled(
      MasterFiguresReader metrics, long ledger, MasterFiguresReader.Scrape before)
      throws IOException, InterruptedException {
    long limit = System.nanoTime() + SETTLE_LIMIT_NANOS;
    MasterFiguresReader.Scrape scrape = metrics.read();
    while (scrape.objects() != ledger - (scrape.evicted() - before.evicted())
        && System.nanoTime() < limit) {
      sleep(100);
      scrape = metrics.read();
    }
    return scrape;
  }

  private HeartbeatFigures judged(HeartbeatFigures figures) {
    List<String> misses = new ArrayList<>();
    miss(
        misses,
        figures.worstGapMillis() > figures.gapGoalMillis(),
        String.format(
            Locale.ROOT,
            "the worst gap was %.1f ms, above %.1f ms",
            figures.worstGapMillis(),
            figures.gapGoalMillis()));
    long deaths = settings.scenario() == Scenario.S3 ? 1 : 0;
    miss(
        misses,
        figures.suspected() != deaths,
        String.format(
            Locale.ROOT, "%d transitions to SUSPECTED, not %d", figures.suspected(), deaths));
    miss(
        misses,
        figures.offline() != deaths,
        String.format(Locale.ROOT, "%d transitions to OFFLINE, not %d", figures.offline(), deaths));
    miss(
        misses,
        figures.remounts() > 0,
        String.format(
            Locale.ROOT,
            "%d pings were answered that the client must register again",
            figures.remounts()));
    miss(
        misses,
        figures.keysEnd() != figures.ledger(),
        String.format(
            Locale.ROOT,
            "%d keys at the end, %d by the ledger",
            figures.keysEnd(),
            figures.ledger()));
    miss(
        misses,
        figures.gc().heartbeatStalls() > 0,
        String.format(
            Locale.ROOT,
            "the heartbeat's thread waited for memory %d times",
            figures.gc().heartbeatStalls()));
    if (settings.scenario() == Scenario.S4) {
      miss(
          misses,
          figures.maxSliceMillis() > SLICE_GOAL_MILLIS,
          String.format(
              Locale.ROOT,
              "the longest slice took %.1f ms of CPU, above %.0f ms: %s",
              figures.maxSliceMillis(),
              SLICE_GOAL_MILLIS,
              figures.maxSlice().handler()));
    }
    if (settings.pings().isMainPort()) {
      miss(
          misses,
          figures.tripMillis(TRIP_PERCENTILE) > TRIP_GOAL_MILLIS,
          String.format(
              Locale.ROOT,
              "p99.9 of the round trips on the main port was %.1f ms, above %.0f ms",
              figures.tripMillis(TRIP_PERCENTILE),
              TRIP_GOAL_MILLIS));
    }
    if (deaths > 0) {
      double slack = TOLERANCE_MILLIS + figures.worstHiccupMillis();
      near(
          misses,
          "SUSPECTED",
          figures.diedSuspectedMillis(),
          (double) settings.activeTtlMillis(),
          slack);
      near(
          misses,
          "OFFLINE",
          figures.diedOfflineMillis(),
          (double) (settings.activeTtlMillis() + settings.suspicionTtlMillis()),
          slack);
    }
    return figures.withMisses(misses);
  }

  private static void near(
      List<String> misses, String state, double millis, double goal, double slack) {
    miss(
        misses,
        Math.abs(millis - goal) > slack,
        String.format(
            Locale.ROOT,
            "the client that died was %s %.0f ms after its last ping, not %.0f ms (± %.0f)",
            state,
            millis,
            goal,
            slack));
  }

  private static void miss(List<String> misses, boolean missed, String miss) {
    if (missed) {
      misses.add(miss);
    }
  }

  private Duration cpu() {
    return ProcessHandle.of(master.pid())
        .flatMap(process -> process.info().totalCpuDuration())
        .orElse(Duration.ZERO);
  }

  private static void sleep(long millis) throws InterruptedException {
    sleepUntil(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
  }
}
