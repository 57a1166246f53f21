package io.moonpool.bench.transfer;

import io.moonpool.transfer.PeerSegment;
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
 * Puts and gets to a second process, over tcp against blocking sockets and over shared memory
 * against a memory copy. Transport and reference take turns in short rounds, so that what else
 * happens on the machine hits both.
 */
public final class TransferBench {
  private static final long SEGMENT_BYTES = 256L << 20;

  /** Transfers go through this much memory on either side, more than caches hold. */
  private static final long WINDOW_BYTES = 128L << 20;

  /** Turns' time that both run before they are measured, for the compiler. */
  private static final int WARM_UP_TURNS = 20;

  private final Options options;

  /**
   * What to measure.
   *
   * @param transports {@code tcp}, {@code shm}
   * @param sizes bytes of one transfer
   * @param inFlight transfers under way at a time; 1 measures latency
   * @param rounds how often transport and reference take turns
   * @param roundMillis how long each turn takes
   */
  public record Options(
      List<String> transports, int[] sizes, int[] inFlight, int rounds, long roundMillis) {
    /** The figures that the project compares itself by. */
    public static Options standard() {
      return new Options(
          List.of("tcp", "shm"), new int[] {4 << 10, 1 << 20}, new int[] {1, 16}, 15, 100);
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
            args.length > 1 ? Long.parseLong(args[1]) : standard.roundMillis);
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
    for (String transport : options.transports) {
      Process process = startPeer(transport);
      Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
      try (Arena arena = Arena.ofShared()) {
        PeerAnnouncement peer = announcement(process);
        Transports transports =
            Transports.start(vertx, TransferConfig.client().withTransports(List.of(transport)))
                .await();
        Run run =
            new Run(
                transports,
                vertx.getOrCreateContext(),
                peer,
                transport,
                arena.allocate(WINDOW_BYTES, 4096),
                arena.allocate(WINDOW_BYTES, 4096));
        for (int bytes : options.sizes) {
          for (int inFlight : options.inFlight) {
            for (boolean put : new boolean[] {true, false}) {
              TransferFigure figure = run.measure(put, bytes, inFlight);
              figures.accept(figure);
              all.add(figure);
            }
          }
        }
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

  private static Process startPeer(String transport) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(BenchPeer.class.getName());
    command.add(Long.toString(SEGMENT_BYTES));
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
    private final String transport;
    private final MemorySegment local;
    private final MemorySegment other;

    Run(
        Transports transports,
        Context context,
        PeerAnnouncement peer,
        String transport,
        MemorySegment local,
        MemorySegment other) {
      this.transports = transports;
      this.context = context;
      this.peer = peer;
      this.transport = transport;
      this.local = local.fill((byte) 1);
      this.other = other.fill((byte) 2);
    }

    TransferFigure measure(boolean put, int bytes, int inFlight) throws Exception {
      try (SocketReference sockets = SocketReference.connect(peer.referencePort())) {
        Reference reference = reference(sockets, put, bytes);
        long turn = TimeUnit.MILLISECONDS.toNanos(options.roundMillis);
        // Warm up both, then take turns.
        double[] own = new double[options.rounds];
        double[] theirs = new double[options.rounds];
        double[] ratios = new double[options.rounds];
        for (int round = -1; round < options.rounds; round++) {
          double a = loop(put, bytes, inFlight, round < 0 ? WARM_UP_TURNS * turn : turn);
          double b = reference.loop(round < 0 ? WARM_UP_TURNS * turn : turn);
          if (round >= 0) {
            own[round] = a;
            theirs[round] = b;
            ratios[round] = b / a;
          }
        }
        return new TransferFigure(
            transport, put, bytes, inFlight, median(own), median(theirs), median(ratios));
      }
    }

    private Reference reference(SocketReference sockets, boolean put, int bytes) {
      if (transport.equals("tcp")) {
        return nanos -> {
          long start = System.nanoTime();
          long end = start + nanos;
          long done = 0;
          for (long at = 0; System.nanoTime() - end < 0; at = next(at, bytes), done++) {
            ByteBuffer slice = local.asSlice(at, bytes).asByteBuffer();
            if (put) {
              sockets.put(slice, at);
            } else {
              sockets.get(slice, at);
            }
          }
          return (double) (System.nanoTime() - start) / done;
        };
      }
      return nanos -> {
        long start = System.nanoTime();
        long end = start + nanos;
        long done = 0;
        for (long at = 0; System.nanoTime() - end < 0; at = next(at, bytes), done++) {
          if (put) {
            MemorySegment.copy(local, at, other, at, bytes);
          } else {
            MemorySegment.copy(other, at, local, at, bytes);
          }
        }
        return (double) (System.nanoTime() - start) / done;
      };
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
      private final Promise<Double> result;
      private final PeerSegment segment = peer.segment();
      private final long start = System.nanoTime();
      private final long end;
      private long at;
      private long done;
      private int running;
      private boolean starting;

      Loop(boolean put, int bytes, int inFlight, long nanos, Promise<Double> result) {
        this.put = put;
        this.bytes = bytes;
        this.inFlight = inFlight;
        this.result = result;
        this.end = start + nanos;
      }

      void begin() {
        // A loop, not a recursion: transfers may complete at once.
        starting = true;
        int burst = 0;
        while (running < inFlight && System.nanoTime() - end < 0) {
          if (++burst > 256) {
            context.runOnContext(later -> begin());
            break;
          }
          running++;
          MemorySegment slice = local.asSlice(at, bytes);
          long deadline = end + TimeUnit.SECONDS.toNanos(10);
          Future<Void> transfer =
              put
                  ? transports.put(slice, segment, at, deadline)
                  : transports.get(slice, segment, at, deadline);
          at = next(at, bytes);
          transfer.onComplete(
              ended -> {
                running--;
                done++;
                if (ended.failed()) {
                  result.tryFail(ended.cause());
                } else if (!starting) {
                  begin();
                }
              });
        }
        starting = false;
        if (running == 0 && System.nanoTime() - end >= 0) {
          result.tryComplete((double) (System.nanoTime() - start) / done);
        }
      }
    }
  }

  /** A reference program that runs for a while. */
  private interface Reference {
    /** {@return nanoseconds of one transfer} */
    double loop(long nanos) throws IOException;
  }

  private static long next(long at, int bytes) {
    return at + 2L * bytes > WINDOW_BYTES ? 0 : at + bytes;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
