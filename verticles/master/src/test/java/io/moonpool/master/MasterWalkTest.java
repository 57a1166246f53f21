package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SoftPinAction;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.ObjectPage;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.moonpool.protocol.frame.FrameDispatcher;
import io.moonpool.protocol.frame.FrameLimits;
import io.moonpool.protocol.frame.FrameServer;
import io.vertx.core.Promise;
import io.vertx.core.net.NetServerOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Describing, listing and removing by pattern, over real sockets. */
@Timeout(60)
class MasterWalkTest {
  private static final int OBJECTS = 500;

  /** Negative, behind the last shard, and such that some bits alone would name a shard. */
  public static final long[] BAD_CURSORS = {
    -1, Long.MIN_VALUE, 1L << 38, (1L << 38) + 5, 1L << 60, Long.MAX_VALUE
  };

  private TestMaster test;

  private void start(int metadataLoops) {
    test = TestMaster.start(TestMaster.config().metadataLoops(metadataLoops));
    test.node(1, 64 << 20);
    test.put(100, IntStream.range(0, OBJECTS).mapToObj(i -> key(i)).toArray(String[]::new));
  }

  private static String key(int i) {
    return (i % 2 == 0 ? "even/" : "odd/") + i;
  }

  @AfterEach
  void stop() {
    test.close();
  }

  private List<String> list(String pattern, int limit) {
    List<String> keys = new ArrayList<>();
    long cursor = 0;
    do {
      ObjectPage page = test.call(Calls.LIST, new ListObjects("", pattern, cursor, limit));
      assertThat(page.objects()).hasSizeLessThanOrEqualTo(limit);
      page.objects().forEach(object -> keys.add(object.key()));
      cursor = page.nextCursor();
    } while (cursor != 0);
    return keys;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void listsEachObjectOnceWhateverThePageSize(int metadataLoops) {
    start(metadataLoops);
    List<String> all = IntStream.range(0, OBJECTS).mapToObj(i -> key(i)).toList();
    assertThat(list("", 10_000)).containsExactlyInAnyOrderElementsOf(all);
    assertThat(list("", 7)).containsExactlyInAnyOrderElementsOf(all);
    assertThat(list("^even/", 64))
        .containsExactlyInAnyOrderElementsOf(
            all.stream().filter(key -> key.startsWith("even")).toList());
    assertThat(list("/1.$", 3)).hasSize(10);
    assertThat(list("no such key", 5)).isEmpty();
  }

  /** An answer is encoded in one go: neither many objects nor long keys make it a long one. */
  @Test
  void aPageIsNoLargerThanALoopMayEncodeAtOnce() {
    start(1);
    ObjectPage many = test.call(Calls.LIST, new ListObjects("", "", 0, 10_000));
    assertThat(many.objects()).hasSizeBetween(1, 256);
    assertThat(many.nextCursor()).isNotZero();

    String[] keys =
        IntStream.range(0, 20)
            .mapToObj(i -> "long/" + i + "x".repeat(60_000))
            .toArray(String[]::new);
    test.put(100, keys);
    ObjectPage wide = test.call(Calls.LIST, new ListObjects("", "^long/", 0, 10_000));
    assertThat(wide.objects()).hasSizeBetween(1, 5);
    assertThat(list("^long/", 10_000)).containsExactlyInAnyOrder(keys);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void describesWithoutLeasing(int metadataLoops) {
    start(metadataLoops);
    test.putStart(50, "unfinished");
    List<Outcome<ObjectInfo>> described =
        test.call(
            Calls.DESCRIBE,
            new NamedObjects("", KeyBatch.of(List.of(key(1), "none", "unfinished"))));
    ObjectInfo info = described.getFirst().get();
    assertThat(info.key()).isEqualTo(key(1));
    assertThat(info.tenant()).isEqualTo("default");
    assertThat(info.size()).isEqualTo(100);
    assertThat(info.leaseRemainingMillis()).isZero();
    assertThat(info.replicas().getFirst().status()).isEqualTo(ReplicaStatus.COMPLETE);
    assertThat(described.get(1).code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(described.get(2).get().replicas().getFirst().status())
        .isEqualTo(ReplicaStatus.PROCESSING);
    assertThat(test.remove(key(1), false).code()).isEqualTo(ErrorCode.OK);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void removesWhatMatchesExceptWhatIsLeased(int metadataLoops) {
    start(metadataLoops);
    assertThat(test.exists(key(0))).isTrue();
    assertThat(test.call(Calls.REMOVE_MATCHING, new RemoveMatching("", "^even/", false)))
        .isEqualTo(OBJECTS / 2 - 1);
    assertThat(test.call(Calls.REMOVE_MATCHING, new RemoveMatching("", "^even/", true)))
        .isEqualTo(1);
    assertThat(list("", 10_000)).hasSize(OBJECTS / 2).allMatch(key -> key.startsWith("odd/"));
    assertThat(test.call(Calls.REMOVE_MATCHING, new RemoveMatching("", "", true)))
        .isEqualTo(OBJECTS / 2);
    assertThat(test.master().stats().snapshot().objects()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void refusesBadPatternsPagesAndCursors(int metadataLoops) {
    start(metadataLoops);
    assertThatThrownBy(() -> list("(", 10))
        .hasMessageContaining("INVALID_PARAMS")
        .hasMessageContaining("regular expression");
    assertThatThrownBy(
            () -> test.call(Calls.REMOVE_MATCHING, new RemoveMatching("", "a{2,1}", true)))
        .hasMessageContaining("INVALID_PARAMS");
    assertThatThrownBy(() -> list("x".repeat(5_000), 10)).hasMessageContaining("4096");
    assertThatThrownBy(() -> list("", 0)).hasMessageContaining("limit must be");
    assertThatThrownBy(() -> list("", 10_001)).hasMessageContaining("limit must be");
    for (long cursor : BAD_CURSORS) {
      assertThatThrownBy(() -> test.call(Calls.LIST, new ListObjects("", "", cursor, 10)))
          .as("cursor %d", cursor)
          .hasMessageContaining("INVALID_PARAMS")
          .hasMessageContaining("cursor must be 0 for the first page")
          .hasMessageContaining("not " + cursor);
    }
  }

  /** Where mail goes between the members of a group, a call delivers some and leaves the rest. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void leasesAllOfALargeGroupThoughNoOtherCallComes(int metadataLoops) {
    test = TestMaster.start(TestMaster.config().metadataLoops(metadataLoops));
    test.node(1, 64 << 20);
    String[] members =
        IntStream.range(0, 6_000).mapToObj(i -> "member/" + i).toArray(String[]::new);
    ReplicateConfig grouped =
        new ReplicateConfig(
            1,
            SoftPinAction.PRESERVE,
            OptionalLong.empty(),
            false,
            List.of(),
            false,
            ObjectDataType.UNKNOWN,
            "",
            Collections.nCopies(members.length, "group"));
    test.put(grouped, 100, members);
    KeyBatch all = KeyBatch.of(List.of(members));
    assertThat(test.exists(members[0])).isTrue();
    // Describing leases nothing and delivers no mail.
    await()
        .atMost(10, TimeUnit.SECONDS)
        .untilAsserted(
            () ->
                assertThat(test.call(Calls.DESCRIBE, new NamedObjects("", all)))
                    .allMatch(member -> member.get().leaseRemainingMillis() > 0, "leased"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aRemovalEndsEarlyWhenItsCallerIsGone(int metadataLoops) {
    start(metadataLoops);
    MasterOperations operations = test.master().operations();
    Promise<Long> gone = Promise.promise();
    test.master()
        .vertx()
        .runOnContext(
            run ->
                operations
                    .removeMatching(new RemoveMatching("", "", true), () -> true)
                    .onComplete(gone));
    assertThatThrownBy(() -> TestMaster.await(gone.future())).hasMessageContaining("nobody waits");
    // At most one step of each loop was made; a step is far shorter than 500 objects take.
    assertThat(test.call(Calls.REMOVE_MATCHING, new RemoveMatching("", "", true))).isPositive();
  }

  @Test
  void theServerTellsAHandlerWhenItsCallerIsGone() {
    test = TestMaster.start(TestMaster.config().metadataLoops(1));
    Promise<BooleanSupplier> seen = Promise.promise();
    FrameDispatcher dispatcher =
        FrameDispatcher.builder()
            .on(
                Calls.REMOVE_MATCHING,
                (request, callerGone) -> {
                  seen.complete(callerGone);
                  return Promise.<Long>promise().future();
                })
            .build();
    FrameServer server =
        TestMaster.await(
            FrameServer.listen(
                test.master().vertx(),
                new NetServerOptions().setHost("127.0.0.1").setPort(0),
                dispatcher,
                FrameLimits.DEFAULT));
    FrameClient client =
        FrameClient.create(
            test.master().vertx(), FrameClientOptions.of("127.0.0.1", server.port()));
    client.call(Calls.REMOVE_MATCHING, new RemoveMatching("", "", true));
    BooleanSupplier callerGone = TestMaster.await(seen.future());
    assertThat(callerGone.getAsBoolean()).isFalse();
    TestMaster.await(client.close());
    await().atMost(30, TimeUnit.SECONDS).until(callerGone::getAsBoolean);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aPatternThatBacktracksWithoutEndFailsAndHoldsNoLoop(int metadataLoops) {
    start(metadataLoops);
    test.put(10, "a".repeat(200));
    test.master().loops().all().forEach(loop -> loop.meter().reset());
    assertThatThrownBy(() -> list("^(a+)+\\1$b", 100))
        .hasMessageContaining("INVALID_PARAMS")
        .hasMessageContaining("backtracks");
    assertThatThrownBy(
            () ->
                test.call(Calls.REMOVE_MATCHING, new RemoveMatching("", "(a*)(a*)(a*)(a*)b", true)))
        .hasMessageContaining("backtracks");
    assertThat(test.master().stats().snapshot().loops())
        .allMatch(loop -> loop.longHandlers() == 0, "no handler above 10 ms");
    assertThat(list("^a+$", 10)).hasSize(1);
  }
}
