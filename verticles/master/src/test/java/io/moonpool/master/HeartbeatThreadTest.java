package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.master.heartbeat.KnownClient;
import io.moonpool.master.loop.MasterLoop;
import io.moonpool.protocol.heartbeat.HeartbeatFrame;
import io.moonpool.protocol.heartbeat.MooncakePingFrame;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the reserved thread does while everything else is busy, by a flight recording and by samples
 * of its stack: it runs code of a short list, and it waits for nothing but its sockets. The monitor
 * may wait for nothing either while it judges.
 */
@Timeout(240)
class HeartbeatThreadTest {
  private static final String HEARTBEAT = "moonpool-heartbeat";
  private static final String CONTROL = "moonpool-control";
  private static final int SWEEPS = 24;
  private static final int PINGS_A_CONNECTION = 50;
  private static final long RECORDED_SECONDS = 4;

  /** A thread that has one of these waits for another, or for a device. */
  private static final List<String> WAITS =
      List.of(
          "jdk.JavaMonitorEnter",
          "jdk.JavaMonitorWait",
          "jdk.ThreadPark",
          "jdk.ThreadSleep",
          "jdk.ZAllocationStall",
          "jdk.FileRead",
          "jdk.FileWrite",
          "jdk.FileForce",
          "jdk.SocketRead",
          "jdk.SocketWrite");

  private static final List<String> SAMPLES =
      List.of("jdk.ExecutionSample", "jdk.NativeMethodSample");

  /**
   * Beginnings of the names of classes of which the heartbeat's stacks are made; the JDK's plain
   * collections are allowed too, see {@link #PLAIN_COLLECTION}.
   */
  private static final List<String> ALLOWED =
      List.of(
          "io.moonpool.core.liveness.ClientView",
          "io.moonpool.core.liveness.LivenessSlot",
          "io.moonpool.core.liveness.ObservedClock",
          "io.moonpool.core.liveness.PingAnswer",
          "io.moonpool.core.liveness.PublishedClients",
          "io.moonpool.master.heartbeat.ClientsById",
          "io.moonpool.master.heartbeat.HeartbeatConnections",
          "io.moonpool.master.heartbeat.HeartbeatHandler",
          "io.moonpool.master.heartbeat.HeartbeatVerticle",
          "io.moonpool.master.heartbeat.KnownClient",
          "io.moonpool.master.heartbeat.MooncakePings",
          "io.moonpool.master.heartbeat.ObservedTime",
          "io.moonpool.master.heartbeat.PingBuffer",
          "io.moonpool.master.heartbeat.SlotRecorder",
          "io.moonpool.master.loop.AcceptGate",
          "io.moonpool.master.loop.HandlerMeter",
          "io.moonpool.master.loop.LoopCounter",
          "io.moonpool.master.loop.MasterLoop",
          "io.moonpool.master.loop.PinnedLoop",
          "io.moonpool.master.loop.PortLimits",
          "io.moonpool.model.ClientState",
          "io.moonpool.protocol.heartbeat.",
          "io.netty.bootstrap.",
          "io.netty.buffer.",
          "io.netty.channel.",
          "io.netty.util.",
          // A peer that is gone.
          "java.io.IOException",
          "java.lang.",
          "java.net.Inet",
          "java.nio.",
          "java.util.concurrent.ConcurrentHashMap",
          "java.util.concurrent.ThreadLocalRandom",
          "java.util.concurrent.TimeUnit",
          "java.util.concurrent.atomic.",
          "jdk.internal.",
          "com.sun.management.",
          "sun.management.",
          "sun.misc.Unsafe",
          "sun.nio.ch.");

  /**
   * Any class of the JDK's plain collections that takes no lock: which of them a sample meets is
   * chance. Those of concurrency lie in a package of their own.
   */
  private static final Pattern PLAIN_COLLECTION =
      Pattern.compile("java\\.util\\.(?!Hashtable|Properties|Stack|Timer|Vector)[A-Z]");

  /** Pings as Mooncake's clients do, by its id. */
  private static final UUID CLIENT = new UUID(0x0807060504030201L, 0x0807060504030201L);

  private static final byte[] MOONCAKE_PING =
      HexFormat.of()
          .parseHex(
              "1500000001000000e5dac2d61c00000000000000"
                  + "e1836d3c04fd04048989ff00"
                  + "01020304050607080102030405060708");

  @TempDir Path folder;

  private TestMaster test;
  private final AtomicBoolean stopped = new AtomicBoolean();

  @AfterEach
  void stop() {
    stopped.set(true);
    test.close();
  }

  @Test
  void theHeartbeatThreadRunsItsOwnCodeAndWaitsForNothing() throws Exception {
    test = TestMaster.start(TestMaster.config().metadataLoops(1));
    TestMaster.Node node = test.node(1, 64 << 20);
    try (Storm storm = new Storm(node)) {
      // The first connections and calls load classes.
      storm.pingFor(2);
      Found found = record(() -> storm.pingFor(RECORDED_SECONDS));
      assertThat(found.samples()).as("samples of the thread").isPositive();
      assertThat(found.strangers())
          .as("stacks with frames that are none of the heartbeat's")
          .isEmpty();
      assertThat(found.waits()).as("waits of the heartbeat's thread").isEmpty();
      assertThat(found.monitorWaits()).as("waits of the monitor while it judges").isEmpty();
    }
    assertThat(test.master().stats().snapshot().pings()).isPositive();
    assertThat(
            test.master().stats().snapshot().loops().stream()
                .filter(loop -> loop.name().equals(HEARTBEAT))
                .mapToInt(MasterStats.LoopCounts::queueDepth))
        .containsOnly(0);
  }

  /** Somebody else's work on the thread is found, and a lock in its way: what the test is for. */
  @Test
  void aStrangerAndALockInItsWayAreFound() throws Exception {
    test = TestMaster.start(TestMaster.config().metadataLoops(1));
    TestMaster.Node node = test.node(1, 64 << 20);
    ReentrantLock lock = new ReentrantLock();
    try (Storm storm = new Storm(node)) {
      storm.pingFor(1);
      Found found =
          record(
              () -> {
                for (int i = 0; i < 20; i++) {
                  lock.lock();
                  test.master().loops().heartbeat().queue().post(() -> waitFor(lock));
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                  lock.unlock();
                  storm.pingFor(0);
                }
              });
      assertThat(found.waits())
          .anyMatch(wait -> wait.contains("ThreadPark") && wait.contains("ReentrantLock"));
      assertThat(found.strangers())
          .anyMatch(frame -> frame.contains("HeartbeatThreadTest::waitFor"))
          .anyMatch(frame -> frame.contains("ReentrantLock"));
    }
  }

  private static void waitFor(ReentrantLock lock) {
    lock.lock();
    lock.unlock();
  }

  /** Something that takes as long as it is recorded. */
  private interface Recorded {
    void run() throws IOException;
  }

  /**
   * What a recording told.
   *
   * @param samples how many stacks of the heartbeat's thread were seen
   * @param strangers those of them in which a frame is not allowed
   * @param waits its waits, with their stacks
   * @param monitorWaits waits of the control loop's thread in the monitor
   */
  private record Found(
      int samples, Set<String> strangers, List<String> waits, List<String> monitorWaits) {}

  private Found record(Recorded body) throws IOException, InterruptedException {
    Path file = folder.resolve("recording.jfr");
    Set<String> strangers = Collections.synchronizedSet(new TreeSet<>());
    AtomicBoolean done = new AtomicBoolean();
    Thread sampler = Thread.ofPlatform().start(() -> sample(done, strangers));
    try (Recording recording = new Recording()) {
      for (String wait : WAITS) {
        recording.enable(wait).withThreshold(Duration.ZERO).withStackTrace();
      }
      for (String sample : SAMPLES) {
        recording.enable(sample).withPeriod(Duration.ofMillis(10));
      }
      recording.start();
      body.run();
      recording.stop();
      recording.dump(file);
    } finally {
      done.set(true);
      sampler.join();
    }
    int samples = 0;
    List<String> waits = new ArrayList<>();
    List<String> monitorWaits = new ArrayList<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      String type = event.getEventType().getName();
      if (SAMPLES.contains(type)) {
        if (isOf(HEARTBEAT, event.getThread("sampledThread"))) {
          samples++;
          judge(frames(event), strangers);
        }
      } else if (isOf(HEARTBEAT, event.getThread()) && !isOfTheCompiler(frames(event))) {
        waits.add(type + " at " + frames(event));
      } else if (isOf(CONTROL, event.getThread())
          && frames(event).stream()
              .anyMatch(frame -> frame.contains("LivenessMonitor") || frame.contains("Registry"))) {
        monitorWaits.add(type + " at " + frames(event));
      }
    }
    return new Found(samples, strangers, waits, monitorWaits);
  }

  private static boolean isOf(String name, RecordedThread thread) {
    return thread != null && name.equals(thread.getJavaName());
  }

  private static List<String> frames(RecordedEvent event) {
    return event.getStackTrace() == null
        ? List.of()
        : event.getStackTrace().getFrames().stream()
            .filter(RecordedFrame::isJavaFrame)
            .map(
                frame -> frame.getMethod().getType().getName() + "::" + frame.getMethod().getName())
            .toList();
  }

  private static void sample(AtomicBoolean done, Set<String> strangers) {
    Thread heartbeat =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals(HEARTBEAT) && thread.isAlive())
            .findFirst()
            .orElseThrow();
    while (!done.get()) {
      judge(
          Stream.of(heartbeat.getStackTrace())
              .map(frame -> frame.getClassName() + "::" + frame.getMethodName())
              .toList(),
          strangers);
    }
  }

  /**
   * Whether a class is looked for. The JVM does that for all types of a method's signature, in the
   * thread that calls the method, before it has its compiler translate it: once for each method,
   * and here for each of Netty's accessors that only the compiler of the language knows the type
   * of. Which thread runs into it is chance.
   */
  private static boolean isOfTheCompiler(List<String> stack) {
    return stack.contains("java.lang.ClassLoader::loadClass");
  }

  private static void judge(List<String> stack, Set<String> strangers) {
    if (!isOfTheCompiler(stack) && !stack.stream().allMatch(HeartbeatThreadTest::isAllowed)) {
      strangers.add(String.join(" < ", stack));
    }
  }

  private static boolean isAllowed(String frame) {
    return PLAIN_COLLECTION.matcher(frame).lookingAt()
        || ALLOWED.stream().anyMatch(frame::startsWith);
  }

  /** Everything at once, and pings of a node that come as fast as they are answered. */
  private final class Storm implements AutoCloseable {
    private final TestMaster.Node node;
    private final Thread load;

    Storm(TestMaster.Node node) {
      this.node = node;
      KnownClient client =
          new KnownClient(CLIENT, node.registration().slot(), node.registration().incarnation());
      client.ready();
      test.master().clientsById().put(client);
      for (MasterLoop loop : test.master().loops().metadata()) {
        loop.queue().post(() -> startSweeps(loop));
      }
      load = Thread.ofPlatform().start(this::load);
    }

    private void startSweeps(MasterLoop loop) {
      for (int i = 0; i < SWEEPS; i++) {
        loop.sweeps()
            .start(
                () -> {
                  long end = System.nanoTime() + 30_000;
                  while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                  }
                  return !stopped.get();
                });
      }
    }

    private void load() {
      for (int i = 0; !stopped.get(); i++) {
        test.put(100, "load-" + i);
        test.locate("load-" + i);
        node.mountAll();
        test.master().vertx().eventBus().publish("moonpool.test", i);
        test.master().vertx().setTimer(1, ignored -> {});
        test.master().vertx().runOnContext(ignored -> {});
      }
    }

    void pingFor(long seconds) throws IOException {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      do {
        try (Socket socket = new Socket("127.0.0.1", test.master().ports().heartbeat())) {
          socket.setTcpNoDelay(true);
          byte[] ping = new byte[HeartbeatFrame.BYTES];
          HeartbeatFrame.setPing(
              Unpooled.wrappedBuffer(ping),
              0,
              node.registration().slot(),
              node.registration().incarnation(),
              1,
              1);
          byte[] answer = new byte[HeartbeatFrame.BYTES];
          byte[] mooncakeAnswer = new byte[MooncakePingFrame.PING_ANSWER_BYTES];
          DataInputStream in = new DataInputStream(socket.getInputStream());
          for (int i = 0; i < PINGS_A_CONNECTION; i++) {
            socket.getOutputStream().write(ping);
            in.readFully(answer);
            socket.getOutputStream().write(MOONCAKE_PING);
            in.readFully(mooncakeAnswer);
          }
          assertThat(mooncakeAnswer[MooncakePingFrame.PING_ANSWER_BYTES - Integer.BYTES])
              .isEqualTo((byte) PingStatus.OK.number());
        }
      } while (System.nanoTime() < end);
    }

    @Override
    public void close() throws InterruptedException {
      stopped.set(true);
      load.join();
    }
  }
}
