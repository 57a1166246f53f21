package io.moonpool.node;

import static io.moonpool.node.Cluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.with;

import io.moonpool.model.Outcome;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.HelloAnswer;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.NodeRegistration;
import io.moonpool.protocol.call.Ping;
import io.moonpool.protocol.call.PingAnswer;
import io.moonpool.protocol.frame.ConnectionLimit;
import io.moonpool.protocol.frame.FrameDispatcher;
import io.moonpool.protocol.frame.FrameLimits;
import io.moonpool.protocol.frame.FrameServer;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServerOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose mount waits for its turn, as after a storm of nodes that come back. */
@Timeout(60)
class WaitingMountTest {
  private static final int SLOT = 3;
  private static final long EPOCH = 5;

  @TempDir Path directory;

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger registrations = new AtomicInteger();
  private final AtomicInteger pings = new AtomicInteger();
  private final List<MountSegments> mounts = new CopyOnWriteArrayList<>();
  private final List<Promise<List<Outcome<Long>>>> answers = new CopyOnWriteArrayList<>();

  /** Incarnations that left. */
  private final List<Long> farewells = new CopyOnWriteArrayList<>();

  /** Pings of earlier incarnations are told to register anew. */
  private volatile long known;

  private FrameServer master;
  private Future<Node> node;

  @BeforeEach
  void start() {
    master =
        await(
            FrameServer.listen(
                vertx,
                new NetServerOptions().setHost("127.0.0.1").setPort(0),
                FrameDispatcher.builder()
                    .on(
                        Calls.HELLO,
                        (hello, gone) ->
                            Future.succeededFuture(
                                new HelloAnswer(1, "test", "test", EPOCH, 10_000, 30_000, 0)))
                    .on(Calls.REGISTER_NODE, (request, gone) -> register())
                    .on(
                        Calls.UNREGISTER_NODE,
                        (request, gone) -> {
                          farewells.add(request.incarnation());
                          return Future.succeededFuture();
                        })
                    .on(Calls.UNMOUNT_SEGMENT, (request, gone) -> Future.succeededFuture())
                    .on(Calls.MOUNT_SEGMENTS, (request, gone) -> mount(request))
                    .on(Calls.PING, (ping, gone) -> answer(ping))
                    .build(),
                FrameLimits.DEFAULT,
                new ConnectionLimit(100)));
    node =
        Node.start(
            vertx,
            NodeConfig.builder()
                .ephemeral()
                .mooncakeEnabled(false)
                .masterPort(master.port())
                .name("waiting")
                .dataDir(directory.resolve("waiting").toString())
                .segmentBytes(List.of("1MiB", "1MiB"))
                .transports(List.of("tcp"))
                .heartbeatIntervalMillis(50)
                .build());
  }

  @AfterEach
  void stop() {
    await(node.compose(Node::close));
    await(vertx.close());
  }

  private Future<NodeRegistration> register() {
    known = EPOCH << 32 | registrations.incrementAndGet();
    return Future.succeededFuture(new NodeRegistration(known, SLOT, 10_000));
  }

  private Future<List<Outcome<Long>>> mount(MountSegments request) {
    Promise<List<Outcome<Long>>> answer = Promise.promise();
    answers.add(answer);
    mounts.add(request);
    return answer.future();
  }

  private Future<PingAnswer> answer(Ping ping) {
    pings.incrementAndGet();
    PingStatus status = ping.incarnation() == known ? PingStatus.OK : PingStatus.NEED_REMOUNT;
    return Future.succeededFuture(new PingAnswer(ping.sequence(), status, EPOCH, 1));
  }

  private void letMount(int number, long firstGeneration) {
    answers
        .get(number)
        .complete(
            IntStream.range(0, mounts.get(number).segments().size())
                .mapToObj(i -> Outcome.of(firstGeneration + i))
                .toList());
  }

  @Test
  void itPingsMeanwhileAndAsksNoSecondTime() {
    with().until(() -> mounts.size() == 1);
    with().until(() -> pings.get() > 20);
    assertThat(node.isComplete()).isFalse();
    assertThat(mounts).hasSize(1);
    assertThat(registrations).hasValue(1);
    letMount(0, 100);
    assertThat(await(node).isReady()).isTrue();
  }

  @Test
  void itBeginsAnewWhenTheMasterDoesNotKnowItAnyMore() {
    with().until(() -> mounts.size() == 1);
    known = 0;
    with().until(() -> mounts.size() == 2);
    assertThat(mounts.get(1).incarnation()).isNotEqualTo(mounts.get(0).incarnation());
    assertThat(registrations).hasValue(2);
    // The answer to the first is late, and of no meaning.
    letMount(0, 100);
    int before = pings.get();
    with().until(() -> pings.get() > before + 5);
    assertThat(node.isComplete()).isFalse();
    letMount(1, 200);
    assertThat(await(node).isReady()).isTrue();
    assertThat(mounts).hasSize(2);
  }

  @Test
  void itLeavesWithoutHavingHadItsTurnWhenItIsClosed() {
    with().until(() -> mounts.size() == 1);
    letMount(0, 100);
    Node mounted = await(node);
    known = 0;
    with().until(() -> mounts.size() == 2);
    await(mounted.close());
    assertThat(farewells).containsExactly(mounts.get(1).incarnation());
  }
}
