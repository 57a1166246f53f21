package io.moonpool.bench.transfer;

import io.moonpool.transfer.PeerSegment;
import io.moonpool.transfer.Region;
import io.moonpool.transfer.TransferConfig;
import io.moonpool.transfer.Transports;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Puts and gets to a second process, over tcp against blocking sockets and over shared memory and
 * UCX against a memory copy. Transport and reference take turns in short rounds, so that what else
 * happens on the machine hits both.
 */
public final class TransferBench {
  /**
   * Through how much memory on either side transfers go by default. The last caches of some
   * machines hold that; then these figures are those of a cache, and a larger window is slower.
   */
  public static final long WINDOW_BYTES = 128L << 20;

  /**
   * Turns of each figure before any is measured: the first would pay for the compiler's work on
   * what they share.
   */
  private static final int WARM_UP_TURNS = 20;

  /** Transfers that complete at once before the loop sees to others. */
  private static final int MAX_BURST = 256;

  private final Options options;

  /**
   * What to measure.
   *
   * @param transports {@code tcp}, {@code shm}, {@code ucx}, or {@code ucx/} with transports of UCX
   *     behind it, such as {@code ucx/posix}
   * @param sizes bytes of one transfer
   * @param inFlight transfers under way at a time; 1 measures latency
   * @param rounds how often transport and reference take turns
   * @param roundMillis how long each turn takes
   * @param windowBytes through how much memory on either side transfers go, one after the other;
   *     each turn goes on where the one before ended
   * @param gets whether gets are measured, too
   */
  public record Options(
      List<String> transports,
      int[] sizes,
      int[] inFlight,
      int rounds,
      long roundMillis,
      long windowBytes,
      boolean gets) {
    /** The figures that the project compares itself by. */
    public static Options standard() {
      return new Options(
          List.of("tcp", "shm"),
          new int[] {4 << 10, 1 << 20},
          new int[] {1, 16},
          15,
          100,
          WINDOW_BYTES,
          true);
    }
  }

  /** Prepares a run. */
  public TransferBench(Options options) {
    this.options = options;
  }

  /**
   * Prints the figures.
   *
   * @param args rounds, milliseconds of a round, transports separated by commas, sizes separated by
   *     commas, numbers in flight separated by commas; each may be missing from the end
   */
  public static void main(String[] args) throws Exception {
    Options standard = Options.standard();
    Options options =
        new Options(
            args.length > 2 ? List.of(args[2].split(",", -1)) : standard.transports,
            args.length > 3 ? numbers(args[3]) : standard.sizes,
            args.length > 4 ? numbers(args[4]) : standard.inFlight,
            args.length > 0 ? Integer.parseInt(args[0]) : standard.rounds,
            args.length > 1 ? Long.parseLong(args[1]) : standard.roundMillis,
            standard.windowBytes,
            true);
    new TransferBench(options).run(figure -> System.out.println(figure));
  }

  private static int[] numbers(String list) {
    return Arrays.stream(list.split(",", -1)).mapToInt(Integer::parseInt).toArray();
  }

  /**
   * Starts the second process, measures, and ends it. Blocks for about the number of figures times
   * rounds times twice the round's time.
   *
   * @param figures gets each figure when it is measured
   */
  public List<TransferFigure> run(Consumer<TransferFigure> figures) throws Exception {
    List<TransferFigure> all = new ArrayList<>();
    for (String name : options.transports) {
      BenchTransport transport = new BenchTransport(name);
      Process process = startPeer(name);
      Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
      try (Arena arena = Arena.ofShared()) {
        PeerAnnouncement peer = announcement(process);
        Transports transports =
            Transports.start(vertx, transport.apply(TransferConfig.client())).await();
        // What the copies of the reference go to, of the kind that the peer lends: the memory
        // itself must not make the difference. Through sockets they go to the peer's.
        long otherBytes = transport.throughSockets() ? 1 : options.windowBytes;
        Region region = transports.allocate(otherBytes);
        Run run =
            new Run(
                transports,
                vertx.getOrCreateContext(),
                peer,
                transport,
                arena.allocate(options.windowBytes, 4096),
                region.memory());
        for (int round = 0; round < WARM_UP_TURNS; round += WARM_UP_TURNS / 2) {
          run.each((put, bytes, inFlight) -> run.measure(put, bytes, inFlight, WARM_UP_TURNS / 2));
        }
        run.each(
            (put, bytes, inFlight) -> {
              TransferFigure figure = run.measure(put, bytes, inFlight, options.rounds);
              figures.accept(figure);
              all.add(figure);
            });
        transports.close().await();
      } finally {
        vertx.close().await();
        process.getOutputStream().close();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      }
    }
    return all;
  }

  private Process startPeer(String transport) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(BenchPeer.class.getName());
    command.add(Long.toString(options.windowBytes));
    command.add(transport);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  @SuppressWarnings("MustBeClosed") // Closing the reader would close the process's output.
  private static PeerAnnouncement announcement(Process process) throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (PeerAnnouncement.is(line)) {
        return PeerAnnouncement.decode(line);
      }
    }
    throw new IOException("the second process ended before it was ready");
  }

  /** One transport. */
  private final class Run {
    private final Transports transports;
    private final Context context;
    private final PeerAnnouncement peer;
    private final BenchTransport transport;
    private final MemorySegment local;
    private final MemorySegment other;

    /** Where the next transfer begins. */
    private long at;

    /** The same for the reference. */
    private long referenceAt;

    Run(
        Transports transports,
        Context context,
        PeerAnnouncement peer,
        BenchTransport transport,
        MemorySegment local,
        MemorySegment other) {
      this.transports = transports;
      this.context = context;
      this.peer = peer;
      this.transport = transport;
      this.local = local.fill((byte) 1);
      this.other = other.fill((byte) 2);
    }

    /** Does something for each figure. */
    void each(Figures action) throws Exception {
      for (int bytes : options.sizes) {
        for (int inFlight : options.inFlight) {
          action.accept(true, bytes, inFlight);
          if (options.gets) {
            action.accept(false, bytes, inFlight);
          }
        }
      }
    }

    TransferFigure measure(boolean put, int bytes, int inFlight, int rounds) throws Exception {
      try (SocketReference sockets = SocketReference.connect(peer.referencePort())) {
        Reference reference = reference(sockets, put, bytes);
        long turn = TimeUnit.MILLISECONDS.toNanos(options.roundMillis);
        double[] own = new double[rounds];
        double[] theirs = new double[rounds];
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
          own[round] = loop(put, bytes, inFlight, turn);
          theirs[round] = loop(reference, bytes, inFlight == 1, turn);
          ratios[round] = theirs[round] / own[round];
        }
        return new TransferFigure(
            transport.name(), put, bytes, inFlight, median(own), median(theirs), median(ratios));
      }
    }

    private Reference reference(SocketReference sockets, boolean put, int bytes) {
      if (transport.throughSockets()) {
        return at -> {
          ByteBuffer slice = local.asSlice(at, bytes).asByteBuffer();
          if (put) {
            sockets.put(slice, at);
          } else {
            sockets.get(slice, at);
          }
        };
      }
      return at -> {
        if (put) {
          MemorySegment.copy(local, at, other, at, bytes);
        } else {
          MemorySegment.copy(other, at, local, at, bytes);
        }
      };
    }

    /** Runs the reference for a while. */
    private double loop(Reference reference, int bytes, boolean latency, long nanos)
        throws IOException {
      Meter meter = new Meter(latency);
      for (long now = meter.start; now - meter.start < nanos; ) {
        long before = now;
        referenceAt = fitting(referenceAt, bytes);
        reference.move(referenceAt);
        now = System.nanoTime();
        meter.record(now - before);
        referenceAt += bytes;
      }
      return meter.nanos();
    }

    private double loop(boolean put, int bytes, int inFlight, long nanos) {
      Promise<Double> result = Promise.promise();
      context.runOnContext(now -> new Loop(put, bytes, inFlight, nanos, result).begin());
      return result.future().await();
    }

    /** Keeps a number of transfers in flight for a while. On one event loop. */
    private final class Loop {
      private final boolean put;
      private final int bytes;
      private final int inFlight;
      private final long nanos;
      private final Promise<Double> result;
      private final PeerSegment segment = peer.segment();
      private final Meter meter;
      private int running;
      private boolean starting;

      Loop(boolean put, int bytes, int inFlight, long nanos, Promise<Double> result) {
        this.put = put;
        this.bytes = bytes;
        this.inFlight = inFlight;
        this.nanos = nanos;
        this.result = result;
        this.meter = new Meter(inFlight == 1);
      }

      void begin() {
        // A loop, not a recursion: transfers may complete at once.
        starting = true;
        int burst = 0;
        long now = System.nanoTime();
        while (running < inFlight && now - meter.start < nanos) {
          if (++burst > MAX_BURST) {
            context.runOnContext(later -> begin());
            break;
          }
          long before = now;
          running++;
          at = fitting(at, bytes);
          MemorySegment slice = local.asSlice(at, bytes);
          long deadline = now + TimeUnit.SECONDS.toNanos(10);
          Future<Void> transfer =
              put
                  ? transports.put(slice, segment, at, deadline)
                  : transports.get(slice, segment, at, deadline);
          at += bytes;
          if (transfer.succeeded()) {
            now = System.nanoTime();
            ended(now - before);
          } else {
            transfer.onComplete(
                done -> {
                  if (done.failed()) {
                    result.tryFail(done.cause());
                    return;
                  }
                  ended(System.nanoTime() - before);
                  if (!starting) {
                    begin();
                  }
                });
            now = System.nanoTime();
          }
        }
        starting = false;
        if (running == 0 && now - meter.start >= nanos) {
          result.tryComplete(meter.nanos());
        }
      }

      private void ended(long took) {
        running--;
        meter.record(took);
      }
    }
  }

  /**
   * Measures a turn: the median latency, or the time by the number of transfers. The median, since
   * on a busy machine the mean is that of the waits for a processor.
   */
  private static final class Meter {
    private final long start = System.nanoTime();
    private final boolean latency;
    private long[] samples = new long[1 << 10];
    private int count;

    Meter(boolean latency) {
      this.latency = latency;
    }

    void record(long nanos) {
      if (latency) {
        if (count == samples.length) {
          samples = Arrays.copyOf(samples, 2 * count);
        }
        samples[count] = nanos;
      }
      count++;
    }

    double nanos() {
      if (!latency) {
        return (double) (System.nanoTime() - start) / count;
      }
      long[] sorted = Arrays.copyOf(samples, count);
      Arrays.sort(sorted);
      return sorted[count / 2];
    }
  }

  /** What is done for each figure. */
  private interface Figures {
    void accept(boolean put, int bytes, int inFlight) throws Exception;
  }

  /** A reference program. */
  private interface Reference {
    /** Moves the bytes at that offset. */
    void move(long at) throws IOException;
  }

  /** The next place in the window for so many bytes. */
  private long fitting(long at, int bytes) {
    return at + bytes > options.windowBytes ? 0 : at;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
