package io.moonpool.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.allocation.AllocationStrategy;
import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.index.IndexConfig;
import io.moonpool.core.index.IndexEffects;
import io.moonpool.core.index.LocationSink;
import io.moonpool.core.index.ObjectIndex;
import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.index.ShardMail;
import io.moonpool.core.index.StartedWrite;
import io.moonpool.core.index.WriteTerms;
import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.SoftPinAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments whose node is known and has not come back yet, and what is on them. */
class RestoredSegmentsTest {
  private static final long MIB = 1L << 20;
  private static final long SIZE = 1000;
  private static final UUID WRITER = new UUID(1, 2);
  private static final LocationSink NOWHERE =
      new LocationSink() {
        @Override
        public void object(long version, long size, ChecksumKind kind, long sum, int[] blocks) {}

        @Override
        public void replica(long id, ReplicaType type, long generation, long offset) {}
      };

  private final SegmentRegistry registry = new SegmentRegistry(9, AllocationStrategy.RANDOM);
  private final SegmentTable table = new SegmentTable();
  private final ObjectIndex index =
      new ObjectIndex(0, ObjectIndex.SHARDS, new IndexConfig(1, 0, 1), table, new Returns());
  private final StartedWrite started = new StartedWrite();
  private final ExtentList extents = new ExtentList();
  private final UUID node = UUID.randomUUID();

  /** Space that comes back goes to its segment, as in a master. */
  private final class Returns implements IndexEffects {
    @Override
    public void free(int slot, long generation, long offsetUnits, long length, int extent) {
      registry.placement().current().free(slot, generation, offsetUnits, extent);
    }

    @Override
    public void floor(int disk, long keyHash, long version) {}

    @Override
    public void offload(int slot, long generation) {}

    @Override
    public void send(ShardMail mail) {
      throw new AssertionError("one loop has all shards: " + mail);
    }
  }

  private static SegmentSpec spec(String name) {
    return SegmentSpec.memory(
        UUID.randomUUID(), name, MIB, "", List.of(new SegmentEndpoint("tcp", new byte[] {1})));
  }

  private static SegmentSpec movedTo(SegmentSpec spec, int where) {
    return SegmentSpec.memory(
        spec.id(),
        spec.name(),
        spec.size(),
        spec.hostId(),
        List.of(new SegmentEndpoint("tcp", new byte[] {(byte) where})));
  }

  private <T> T sent(SegmentUpdate<T> update) {
    update.changes().forEach(table::apply);
    return update.result();
  }

  private List<SegmentChange> sent(List<SegmentChange> changes) {
    changes.forEach(table::apply);
    return changes;
  }

  private SegmentMount restore(UUID owner, SegmentSpec spec, long confirmByMillis) {
    return sent(registry.restore(owner, spec, confirmByMillis)).get();
  }

  private MountResult mount(UUID owner, SegmentSpec spec) {
    return sent(registry.mount(owner, ClientState.ACTIVE, List.of(spec))).getFirst();
  }

  private static ObjectKey key(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return new ObjectKey().set(bytes, 0, bytes.length, 0);
  }

  private void put(String key, SegmentMount on) {
    extents.clear();
    registry
        .placement()
        .current()
        .allocateOn(on.slot(), on.generation(), SIZE, (slot, generation) -> true, extents);
    WriteTerms terms =
        new WriteTerms(WRITER, 1, SoftPinAction.PRESERVE, 0, false, ObjectDataType.UNKNOWN);
    assertThat(index.putStart(key(key), SIZE, terms, null, extents, 0, started))
        .isEqualTo(ErrorCode.OK);
    assertThat(index.end(key(key), WRITER, started.version(), Checksum.NONE, 0))
        .isEqualTo(ErrorCode.OK);
  }

  private ErrorCode locate(String key) {
    return index.locate(key(key), 0, NOWHERE);
  }

  private void sweepAndForget() {
    for (SegmentInfo info : registry.list()) {
      if (info.status() == SegmentStatus.UNMOUNTING) {
        assertThat(
                index.sweep(
                    registry.mountOf(info.generation()).slot(), info.generation(), 0, () -> true))
            .isTrue();
        sent(registry.swept(info.generation()));
      }
    }
  }

  @Test
  void whatIsOnItIsThereAndNotServedUntilItsNodeMountsIt() {
    SegmentSpec spec = spec("a");
    SegmentMount mount = restore(node, spec, 30_000);
    put("k", mount);
    assertThat(locate("k")).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    assertThat(index.exists(key("k"), 0)).isFalse();
    assertThat(table.isAllocatable(mount.slot(), mount.generation())).isFalse();
    assertThat(registry.usage().capacityBytes()).isZero();
    assertThat(registry.findById(spec.id()).orElseThrow().ownerState())
        .isEqualTo(ClientState.SUSPECTED);

    assertThat(mount(node, spec)).isEqualTo(MountResult.mounted(mount.generation()));

    assertThat(locate("k")).isEqualTo(ErrorCode.OK);
    assertThat(table.isAllocatable(mount.slot(), mount.generation())).isTrue();
    assertThat(registry.usage().capacityBytes()).isEqualTo(MIB);
    assertThat(registry.usage().usedBytes()).isPositive();
    assertThat(registry.restored()).isZero();
    assertThat(sent(registry.endRestored(Long.MAX_VALUE))).isEmpty();
  }

  @Test
  void theNodeMayBeReachedElsewhereNow() {
    SegmentSpec spec = spec("a");
    SegmentMount mount = restore(node, spec, 30_000);
    SegmentSpec moved = movedTo(spec, 7);
    assertThat(mount(node, moved)).isEqualTo(MountResult.mounted(mount.generation()));
    assertThat(registry.find(mount.generation()).orElseThrow().spec()).isEqualTo(moved);
    // Once confirmed it is a mounted segment like any other.
    assertThat(mount(node, spec).code()).isEqualTo(ErrorCode.INVALID_PARAMS);
  }

  @Test
  void onlyTheSameMemoryOfTheSameNodeConfirms() {
    SegmentSpec spec = spec("a");
    SegmentMount mount = restore(node, spec, 30_000);
    assertThat(mount(UUID.randomUUID(), spec).code()).isEqualTo(ErrorCode.SEGMENT_ALREADY_EXISTS);
    SegmentSpec larger = SegmentSpec.memory(spec.id(), "a", 2 * MIB, "", spec.endpoints());
    assertThat(mount(node, larger).code()).isEqualTo(ErrorCode.INVALID_PARAMS);
    SegmentSpec renamed = SegmentSpec.memory(spec.id(), "b", MIB, "", spec.endpoints());
    assertThat(mount(node, renamed).code()).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(table.isServed(mount.slot(), mount.generation())).isFalse();
    assertThat(registry.restored()).isOne();
  }

  @Test
  void itIsRestoredOnceAndNotOverAMountedOne() {
    SegmentSpec spec = spec("a");
    restore(node, spec, 30_000);
    assertThat(sent(registry.restore(node, spec, 1)).code())
        .isEqualTo(ErrorCode.SEGMENT_ALREADY_EXISTS);
    SegmentSpec mounted = spec("b");
    mount(node, mounted);
    assertThat(sent(registry.restore(node, mounted, 1)).code())
        .isEqualTo(ErrorCode.SEGMENT_ALREADY_EXISTS);
    SegmentSpec empty = SegmentSpec.memory(UUID.randomUUID(), "c", 1, "", List.of());
    assertThat(sent(registry.restore(node, empty, 1)).code()).isEqualTo(ErrorCode.INVALID_PARAMS);
  }

  @Test
  void thatItsNodeIsHeardOfDoesNotConfirmIt() {
    SegmentMount mount = restore(node, spec("a"), 30_000);
    put("k", mount);
    sent(registry.ownerChanged(node, ClientState.ACTIVE));
    assertThat(locate("k")).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    sent(registry.ownerChanged(node, ClientState.OFFLINE));
    sweepAndForget();
    assertThat(locate("k")).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(registry.restored()).isZero();
  }

  @Test
  void whatNobodyConfirmsGoesAloneWhenItsTimeHasCome() {
    SegmentSpec confirmed = spec("a");
    put("stays", restore(node, confirmed, 30_000));
    put("goes", restore(node, spec("b"), 30_000));
    put("waits", restore(UUID.randomUUID(), spec("c"), 40_000));
    mount(node, confirmed);

    assertThat(sent(registry.endRestored(29_999))).isEmpty();
    assertThat(sent(registry.endRestored(30_000))).hasSize(1);
    sweepAndForget();

    assertThat(locate("stays")).isEqualTo(ErrorCode.OK);
    assertThat(locate("goes")).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(locate("waits")).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    assertThat(index.stats().objects()).isEqualTo(2);
  }

  @Test
  void whileNodesMayBeCutOffNothingGoes() {
    put("kept", restore(node, spec("a"), 30_000));
    put("late", restore(UUID.randomUUID(), spec("b"), 90_000));
    registry.keepRestored(50_000);
    registry.keepRestored(70_000);
    registry.keepRestored(60_000);

    assertThat(sent(registry.endRestored(69_999))).isEmpty();
    assertThat(locate("kept")).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
    assertThat(sent(registry.endRestored(70_000))).hasSize(1);
    sweepAndForget();

    assertThat(locate("kept")).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    assertThat(locate("late")).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY);
  }

  /** What the model knows of a segment: who has it, until when it is waited for, its keys. */
  private record Known(UUID owner, boolean waits, long confirmBy, List<String> keys) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void randomLivesFollowTheModel(long seed) {
    Random random = new Random(seed);
    List<SegmentSpec> specs = new ArrayList<>();
    List<UUID> nodes = List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
    for (int i = 0; i < 9; i++) {
      specs.add(spec("s" + i));
    }
    Map<UUID, Known> model = new HashMap<>();
    List<String> all = new ArrayList<>();
    int given = 0;
    for (long now = 0; now < 3_000; now++) {
      long nowMillis = now;
      int pick = random.nextInt(specs.size());
      SegmentSpec spec = specs.get(pick);
      UUID owner = nodes.get(pick % nodes.size());
      Known known = model.get(spec.id());
      switch (random.nextInt(6)) {
        case 0 -> {
          long confirmBy = now + random.nextInt(60);
          Outcome<SegmentMount> outcome = sent(registry.restore(owner, spec, confirmBy));
          assertThat(outcome.ok()).isEqualTo(known == null);
          if (outcome.ok()) {
            List<String> keys = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
              String key = "k" + given++;
              put(key, outcome.get());
              keys.add(key);
              all.add(key);
            }
            model.put(spec.id(), new Known(owner, true, confirmBy, keys));
          }
        }
        case 1 -> {
          assertThat(mount(owner, spec).code()).isEqualTo(ErrorCode.OK);
          List<String> keys = known == null ? List.of() : known.keys();
          model.put(spec.id(), new Known(owner, false, 0, keys));
        }
        case 2 -> {
          int ended = sent(registry.endRestored(now)).size();
          int before = model.size();
          model.values().removeIf(each -> each.waits() && each.confirmBy() <= nowMillis);
          assertThat(ended).isEqualTo(before - model.size());
        }
        case 3 -> {
          assertThat(sent(registry.unmount(owner, spec.id())))
              .isEqualTo(known == null ? ErrorCode.SEGMENT_NOT_FOUND : ErrorCode.OK);
          model.remove(spec.id());
        }
        case 4 -> {
          if (random.nextInt(20) == 0) {
            sent(registry.ownerChanged(owner, ClientState.OFFLINE));
            model.values().removeIf(each -> each.owner().equals(owner));
          }
        }
        default -> sent(registry.ownerChanged(owner, ClientState.ACTIVE));
      }
      sweepAndForget();
      Map<String, Boolean> served = new HashMap<>();
      model.values().forEach(each -> each.keys().forEach(k -> served.put(k, !each.waits())));
      assertThat(registry.restored())
          .isEqualTo((int) model.values().stream().filter(Known::waits).count());
      assertThat(index.stats().objects()).isEqualTo(served.size());
      for (int i = Math.max(0, all.size() - 20); i < all.size(); i++) {
        Boolean serves = served.get(all.get(i));
        assertThat(locate(all.get(i)))
            .isEqualTo(
                serves == null
                    ? ErrorCode.OBJECT_NOT_FOUND
                    : serves ? ErrorCode.OK : ErrorCode.REPLICA_IS_NOT_READY);
      }
    }
    assertThat(given).isGreaterThan(100);
  }
}
