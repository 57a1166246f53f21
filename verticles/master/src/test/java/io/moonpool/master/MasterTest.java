package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.Checksum;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.SoftPinAction;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.Hello;
import io.moonpool.protocol.call.HelloAnswer;
import io.moonpool.protocol.call.ListClients;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.call.RevokeObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A whole master over real sockets: the calls and their errors. */
@Timeout(60)
class MasterTest {
  private static final long MIB = 1 << 20;

  private TestMaster test;

  private void start(int metadataLoops) {
    test = TestMaster.start(TestMaster.config().metadataLoops(metadataLoops));
  }

  @AfterEach
  void stop() {
    test.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void storesAnObjectAndFindsItAgain(int metadataLoops) {
    start(metadataLoops);
    HelloAnswer hello = test.call(Calls.HELLO, new Hello(Hello.VERSION + 5, "test"));
    assertThat(hello.protocolVersion()).isEqualTo(Hello.VERSION);
    assertThat(hello.heartbeatPort()).isEqualTo(test.master().ports().heartbeat());
    assertThat(hello.leaseTtlMillis()).isEqualTo(10_000);

    TestMaster.Node node = test.node(1, 16 * MIB);
    assertThat(node.ping().status()).isEqualTo(PingStatus.OK);

    StartedObject started = test.putStart(1_000, "key").getFirst().get();
    assertThat(test.locate("key").code()).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    assertThat(test.exists("key")).isFalse();
    Checksum checksum = Checksum.crc32c(77);
    Outcome<Void> ended =
        test.call(
                Calls.END,
                new EndObjects(
                    TestMaster.WRITER,
                    "",
                    KeyBatch.of("key"),
                    new long[] {started.version()},
                    List.of(checksum)))
            .getFirst();
    assertThat(ended.code()).isEqualTo(ErrorCode.OK);

    LocatedObject located = test.locate("key").get();
    assertThat(located.version()).isEqualTo(started.version());
    assertThat(located.size()).isEqualTo(1_000);
    assertThat(located.leaseMillis()).isEqualTo(10_000);
    assertThat(located.checksum()).isEqualTo(checksum);
    assertThat(located.replicas().getFirst().offset())
        .isEqualTo(started.replicas().getFirst().offset());
    assertThat(test.exists("key")).isTrue();

    long generation = located.replicas().getFirst().generation();
    List<SegmentInfo> segments =
        test.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[] {generation, 1}));
    assertThat(segments).hasSize(1);
    assertThat(segments.getFirst().status()).isEqualTo(SegmentStatus.OK);
    assertThat(segments.getFirst().spec()).isEqualTo(node.segments().getFirst());
    assertThat(segments.getFirst().usedBytes()).isGreaterThanOrEqualTo(1_000);
    List<ClientInfo> clients = test.call(Calls.CLIENTS, new ListClients());
    assertThat(clients).extracting(ClientInfo::state).containsExactly(ClientState.ACTIVE);
    assertThat(clients.getFirst().segments()).isEqualTo(1);

    assertThat(test.remove("key", false).code()).isEqualTo(ErrorCode.OBJECT_HAS_LEASE);
    assertThat(test.remove("key", true).code()).isEqualTo(ErrorCode.OK);
    assertThat(test.locate("key").code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void answersBatchesInTheOrderOfTheRequest(int metadataLoops) {
    start(metadataLoops);
    test.node(1, 64 * MIB);
    String[] keys = IntStream.range(0, 3_000).mapToObj(i -> "key-" + i).toArray(String[]::new);
    test.put(4_096, keys);

    String[] asked =
        IntStream.range(0, 3_000)
            .mapToObj(i -> i % 3 == 0 ? "none-" + i : "key-" + i)
            .toArray(String[]::new);
    List<Outcome<Boolean>> exist =
        test.call(Calls.EXISTS, new NamedObjects("", KeyBatch.of(List.of(asked))));
    List<Outcome<LocatedObject>> located =
        test.call(Calls.LOCATE, new NamedObjects("", KeyBatch.of(List.of(asked))));
    assertThat(exist).hasSize(3_000);
    for (int i = 0; i < asked.length; i++) {
      assertThat(exist.get(i).get()).as(asked[i]).isEqualTo(i % 3 != 0);
      assertThat(located.get(i).code())
          .isEqualTo(i % 3 == 0 ? ErrorCode.OBJECT_NOT_FOUND : ErrorCode.OK);
    }
    assertThat(located.stream().filter(Outcome::ok).map(each -> each.get().version()))
        .doesNotHaveDuplicates();
    assertThat(test.master().stats().snapshot().objects()).isEqualTo(3_000);
    MasterStats.CallCounts counts = test.master().stats().snapshot().calls().get(MasterCall.LOCATE);
    assertThat(counts).isEqualTo(new MasterStats.CallCounts(1, 3_000, 0, 1_000));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void refusesWhatCannotBeDone(int metadataLoops) {
    start(metadataLoops);
    assertThatThrownBy(() -> test.putStart(10, "early"))
        .hasMessageContaining("NO_AVAILABLE_HANDLE")
        .hasMessageContaining("no memory segment takes objects");
    test.node(1, 4 * MIB);

    assertThat(test.putStart(10, "").getFirst().code()).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(test.putStart(0, "k").getFirst().code()).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(test.putStart(5 * MIB, "k").getFirst().code())
        .isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE);
    assertThat(test.putStart(10, "x".repeat(65_535)).getFirst().code()).isEqualTo(ErrorCode.OK);
    assertThat(test.putStart(10, "x".repeat(65_536)).getFirst().code())
        .isEqualTo(ErrorCode.INVALID_KEY);

    StartedObject started = test.putStart(10, "k").getFirst().get();
    assertThat(test.putStart(10, "k").getFirst().code()).isEqualTo(ErrorCode.OBJECT_ALREADY_EXISTS);
    assertThat(end(new UUID(1, 1), "k", started.version())).isEqualTo(ErrorCode.ILLEGAL_CLIENT);
    assertThat(end(TestMaster.WRITER, "k", started.version() + 1_024))
        .isEqualTo(ErrorCode.INVALID_WRITE);
    assertThat(end(TestMaster.WRITER, "other", started.version()))
        .isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(end(TestMaster.WRITER, "k", started.version())).isEqualTo(ErrorCode.OK);
    assertThat(end(TestMaster.WRITER, "k", started.version())).isEqualTo(ErrorCode.OK);
    assertThat(revoke("k", started.version())).isEqualTo(ErrorCode.INVALID_WRITE);

    StartedObject second = test.upsertStart(20, "k").getFirst().get();
    assertThat(test.locate("k").get().size()).isEqualTo(10);
    assertThat(revoke("k", second.version())).isEqualTo(ErrorCode.OK);
    assertThat(test.locate("k").get().version()).isEqualTo(started.version());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void refusesRequestsThatContradictThemselves(int metadataLoops) {
    start(metadataLoops);
    test.node(1, 4 * MIB);
    StartObjects fewSizes =
        new StartObjects(
            TestMaster.WRITER,
            "",
            KeyBatch.of(List.of("a", "b")),
            new long[] {1},
            ReplicateConfig.DEFAULT);
    assertThatThrownBy(() -> test.call(Calls.PUT_START, fewSizes))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("2 keys but 1 sizes");
    assertThatThrownBy(() -> test.putStart(ReplicateConfig.DEFAULT.withReplicaNum(0), 10, "a"))
        .hasMessageContaining("replica_num");
    ReplicateConfig tooLong =
        new ReplicateConfig(
            1,
            SoftPinAction.ENABLE,
            OptionalLong.of(Long.MAX_VALUE),
            false,
            List.of(),
            false,
            ReplicateConfig.DEFAULT.dataType(),
            "",
            List.of());
    assertThatThrownBy(() -> test.putStart(tooLong, 10, "a"))
        .hasMessageContaining("max_soft_pin_ttl_ms");
    KeyBatch many = new KeyBatch(20_000);
    IntStream.range(0, 16_385).forEach(i -> many.add("key-" + i));
    assertThatThrownBy(() -> test.call(Calls.LOCATE, new NamedObjects("", many)))
        .hasMessageContaining("max_batch_keys");
    assertThatThrownBy(() -> test.call(Calls.EXISTS, new NamedObjects("", many)))
        .hasMessageContaining("max_batch_keys");
    assertThatThrownBy(() -> test.call(Calls.HELLO, new Hello(0, "old")))
        .hasMessageContaining("INVALID_VERSION");
    assertThat(test.call(Calls.LOCATE, new NamedObjects("", new KeyBatch(0)))).isEmpty();
  }

  private ErrorCode end(UUID writer, String key, long version) {
    return test.call(
            Calls.END,
            new EndObjects(
                writer, "", KeyBatch.of(key), new long[] {version}, List.of(Checksum.NONE)))
        .getFirst()
        .code();
  }

  private ErrorCode revoke(String key, long version) {
    return test.call(
            Calls.REVOKE,
            new RevokeObjects(TestMaster.WRITER, "", KeyBatch.of(key), new long[] {version}))
        .getFirst()
        .code();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void keepsReplicasApartAndBatchesTogether(int metadataLoops) {
    start(metadataLoops);
    TestMaster.Node one = test.node(1, 16 * MIB);
    TestMaster.Node two = test.node(2, 16 * MIB);
    TestMaster.Node three = test.node(3, 16 * MIB);
    List<Outcome<StartedObject>> twice =
        test.putStart(ReplicateConfig.DEFAULT.withReplicaNum(2), 100, "twice");
    assertThat(twice.getFirst().get().replicas())
        .extracting(replica -> replica.generation())
        .hasSize(2)
        .doesNotHaveDuplicates();

    ReplicateConfig together =
        new ReplicateConfig(
            1,
            SoftPinAction.PRESERVE,
            OptionalLong.empty(),
            false,
            List.of(),
            true,
            ReplicateConfig.DEFAULT.dataType(),
            "",
            List.of());
    String[] keys = IntStream.range(0, 50).mapToObj(i -> "together-" + i).toArray(String[]::new);
    List<Outcome<StartedObject>> started = test.putStart(together, 100, keys);
    // A preference: what finds the segment in the hands of another loop goes elsewhere.
    Map<Long, Long> segments =
        started.stream()
            .collect(
                Collectors.groupingBy(
                    each -> each.get().replicas().getFirst().generation(), Collectors.counting()));
    assertThat(Collections.max(segments.values())).isGreaterThan(keys.length * 3 / 4);

    ReplicateConfig preferred =
        ReplicateConfig.DEFAULT.withPreferredSegments(List.of(two.segments().getFirst().name()));
    long wanted = two.mountAll().getFirst().get();
    for (int i = 0; i < 20; i++) {
      assertThat(
              test.putStart(preferred, 100, "preferred-" + i)
                  .getFirst()
                  .get()
                  .replicas()
                  .getFirst()
                  .generation())
          .isEqualTo(wanted);
    }
    assertThat(one.id()).isNotEqualTo(three.id());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void tenantsSeeTheirOwnObjectsAndOnlyRegisteredOnesWrite(int metadataLoops) {
    test =
        TestMaster.start(
            TestMaster.config()
                .metadataLoops(metadataLoops)
                .multiTenants(true)
                .tenants(List.of("red", "blue")));
    test.node(1, 16 * MIB);
    assertThat(write("red", "key", 10)).isEqualTo(ErrorCode.OK);
    assertThat(write("blue", "key", 20)).isEqualTo(ErrorCode.OK);
    assertThat(locate("red", "key").get().size()).isEqualTo(10);
    assertThat(locate("blue", "key").get().size()).isEqualTo(20);
    assertThat(locate("", "key").code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(locate("green", "key").code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(test.call(Calls.EXISTS, new NamedObjects("green", KeyBatch.of("key"))))
        .containsExactly(Outcome.of(false));
    for (String unregistered : List.of("green", "", "_system", "default")) {
      assertThatThrownBy(() -> write(unregistered, "key", 10))
          .hasMessageContaining("TENANT_NOT_REGISTERED");
    }
    assertThatThrownBy(() -> locate("_system", "key")).hasMessageContaining("INVALID_PARAMS");
    assertThat(test.call(Calls.LIST, new ListObjects("red", "", 0, 10)).objects())
        .extracting(ObjectInfo::tenant)
        .containsExactly("red");
    assertThat(test.call(Calls.REMOVE_MATCHING, new RemoveMatching("green", "", true))).isZero();
    assertThat(test.call(Calls.REMOVE_MATCHING, new RemoveMatching("blue", "", true))).isOne();
    assertThat(locate("red", "key").ok()).isTrue();
  }

  private ErrorCode write(String tenant, String key, long size) {
    StartedObject started =
        test.call(
                Calls.PUT_START,
                new StartObjects(
                    TestMaster.WRITER,
                    tenant,
                    KeyBatch.of(key),
                    new long[] {size},
                    ReplicateConfig.DEFAULT))
            .getFirst()
            .get();
    return test.call(
            Calls.END,
            new EndObjects(
                TestMaster.WRITER,
                tenant,
                KeyBatch.of(key),
                new long[] {started.version()},
                List.of(Checksum.NONE)))
        .getFirst()
        .code();
  }

  private Outcome<LocatedObject> locate(String tenant, String key) {
    return test.call(Calls.LOCATE, new NamedObjects(tenant, KeyBatch.of(key))).getFirst();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aGroupIsLeasedTogetherWhereverItsMembersAre(int metadataLoops) {
    start(metadataLoops);
    test.node(1, 16 * MIB);
    String[] keys = IntStream.range(0, 20).mapToObj(i -> "member-" + i).toArray(String[]::new);
    ReplicateConfig grouped =
        new ReplicateConfig(
            1,
            SoftPinAction.PRESERVE,
            OptionalLong.empty(),
            false,
            List.of(),
            false,
            ReplicateConfig.DEFAULT.dataType(),
            "",
            Collections.nCopies(keys.length, "group"));
    List<Outcome<StartedObject>> started = test.putStart(grouped, 100, keys);
    for (int i = 0; i < keys.length; i++) {
      assertThat(test.end(keys[i], started.get(i).get()).ok()).isTrue();
    }
    assertThat(test.locate(keys[0]).ok()).isTrue();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                test.call(Calls.DESCRIBE, new NamedObjects("", KeyBatch.of(List.of(keys)))).stream()
                    .allMatch(each -> each.get().leaseRemainingMillis() > 0));
    assertThat(
            test.call(Calls.DESCRIBE, new NamedObjects("", KeyBatch.of(keys[3])))
                .getFirst()
                .get()
                .group())
        .isEqualTo("group");
    assertThat(test.remove(keys[7], false).code()).isEqualTo(ErrorCode.OBJECT_HAS_LEASE);
    ReplicateConfig tooFew =
        new ReplicateConfig(
            1,
            SoftPinAction.PRESERVE,
            OptionalLong.empty(),
            false,
            List.of(),
            false,
            ReplicateConfig.DEFAULT.dataType(),
            "",
            List.of("a", "b"));
    assertThatThrownBy(() -> test.putStart(tooFew, 10, "x")).hasMessageContaining("group_ids");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void callsAreRefusedWhenTooManyWaitForALoop(int metadataLoops) throws Exception {
    test = TestMaster.start(TestMaster.config().metadataLoops(metadataLoops).loopQueueLimit(16));
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    test.master()
        .loops()
        .control()
        .queue()
        .post(
            () -> {
              held.countDown();
              try {
                go.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    held.await();
    List<Future<List<ClientInfo>>> calls = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      calls.add(test.callLater(Calls.CLIENTS, new ListClients()));
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> calls.stream().filter(Future::failed).count() == 24);
    assertThat(calls.stream().filter(Future::failed).map(Future::cause))
        .allSatisfy(
            refusal ->
                assertThat(refusal)
                    .hasMessageContaining("UNAVAILABLE_IN_CURRENT_STATUS")
                    .hasMessageContaining("moonpool-control"));
    go.countDown();
    for (Future<List<ClientInfo>> call : calls) {
      Awaitility.await().atMost(Duration.ofSeconds(20)).until(call::isComplete);
    }
    assertThat(calls.stream().filter(Future::succeeded)).hasSize(16);
    assertThat(
            test.master().stats().snapshot().loops().stream()
                .mapToLong(MasterStats.LoopCounts::refused)
                .sum())
        .isEqualTo(24);
  }
}
