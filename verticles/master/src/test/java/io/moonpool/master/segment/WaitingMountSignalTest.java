package io.moonpool.master.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.allocation.AllocationStrategy;
import io.moonpool.core.segment.SegmentChange;
import io.moonpool.core.segment.SegmentRegistry;
import io.moonpool.master.metadata.SegmentSubscriber;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.MountSegments;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a call to mount says about the liveness of its node when it had to wait for its turn. */
class WaitingMountSignalTest {
  private static final UUID FIRST = new UUID(1, 1);
  private static final UUID SECOND = new UUID(1, 2);
  private static final long INCARNATION = 1L << 32 | 1;

  private final Vertx vertx = Vertx.vertx();
  private final Nodes nodes = new Nodes();
  private final Loops loops = new Loops();
  private final SegmentVerticle segments =
      new SegmentVerticle(
          new SegmentRegistry(1, AllocationStrategy.RANDOM),
          loops,
          nodes,
          new NoDisks(),
          new SegmentDirectory(),
          new SegmentEvents(vertx.eventBus()),
          () -> 0,
          1);

  WaitingMountSignalTest() {
    segments.hold(new Nobody());
  }

  @AfterEach
  void close() {
    vertx.close();
  }

  private Future<List<Outcome<Long>>> mount(UUID node) {
    return segments.mount(
        new MountSegments(
            node,
            INCARNATION,
            List.of(
                SegmentSpec.memory(UUID.randomUUID(), node.toString(), 1 << 20, "", List.of()))),
        () -> false);
  }

  @Test
  void itIsASignalOfTheTimeAtWhichItCame() {
    nodes.observedMillis = 1_000;
    mount(FIRST);
    Future<List<Outcome<Long>>> waits = mount(SECOND);
    assertThat(segments.mountsWaiting()).isEqualTo(1);
    nodes.observedMillis = 60_000;
    loops.applied.getFirst().complete();
    nodes.observedMillis = 61_000;
    loops.applied.getLast().complete();
    assertThat(waits.result().getFirst().ok()).isTrue();
    assertThat(nodes.heardMillis).containsEntry(FIRST, 1_000L).containsEntry(SECOND, 1_000L);
  }

  @Test
  void itIsRefusedWhenItsNodeIsGoneBeforeItsTurn() {
    mount(FIRST);
    Future<List<Outcome<Long>>> waits = mount(SECOND);
    nodes.gone.add(SECOND);
    loops.applied.getFirst().complete();
    assertThat(StoreException.codeOf(waits.cause()))
        .isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    assertThat(nodes.heardMillis).doesNotContainKey(SECOND);
    assertThat(loops.applied).hasSize(1);
  }

  private static final class Nodes implements NodeAdmission {
    private final Map<UUID, Long> heardMillis = new HashMap<>();
    private final Set<UUID> gone = new HashSet<>();
    private long observedMillis;

    @Override
    public ErrorCode admit(UUID nodeId, long incarnation) {
      return gone.contains(nodeId) ? ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS : ErrorCode.OK;
    }

    @Override
    public ClientState state(UUID nodeId) {
      return ClientState.ACTIVE;
    }

    @Override
    public long observedMillis() {
      return observedMillis;
    }

    @Override
    public void observe(UUID nodeId, long incarnation, long arrivedMillis) {
      heardMillis.put(nodeId, arrivedMillis);
    }
  }

  /** Metadata loops that have applied what they are told when the test says so. */
  private static final class Loops implements SegmentSubscriber {
    private final List<Promise<Void>> applied = new ArrayList<>();

    @Override
    public Future<Void> apply(List<SegmentChange> changes) {
      Promise<Void> promise = Promise.promise();
      applied.add(promise);
      return promise.future();
    }

    @Override
    public Future<Void> sweep(int slot, long generation) {
      throw new AssertionError("nothing is unmounted");
    }
  }

  private static final class NoDisks implements DiskNumbers {
    @Override
    public Future<Integer> mounting(UUID diskId, UUID nodeId, String name) {
      throw new AssertionError("there are no disks");
    }

    @Override
    public void absent(int disk) {
      throw new AssertionError("there are no disks");
    }

    @Override
    public Future<Void> scanned(int disk) {
      throw new AssertionError("there are no disks");
    }
  }

  /** Holds no segment. */
  private static final class Nobody implements SegmentHolder {
    @Override
    public boolean holds(UUID segmentId) {
      return false;
    }

    @Override
    public void mounted(SegmentInfo segment) {}

    @Override
    public void leaving(SegmentInfo segment) {}

    @Override
    public void nodeHeard(UUID node, boolean isHeard) {}

    @Override
    public void nodeGone(UUID node) {}

    @Override
    public void scanned(SegmentInfo disk) {}
  }
}
