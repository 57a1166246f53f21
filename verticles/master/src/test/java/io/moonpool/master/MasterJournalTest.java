package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.moonpool.master.journal.JournalStats;
import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.AckTombstones;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.DiskRecord;
import io.moonpool.protocol.call.DiskWork;
import io.moonpool.protocol.call.OffloadTask;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.call.ReportDiskObjects;
import io.moonpool.protocol.call.SettleOffloads;
import io.moonpool.protocol.call.SettledOffload;
import io.moonpool.protocol.call.TakeDiskWork;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A master that is started again: what was removed or overwritten stays so, the rest is there. */
class MasterJournalTest {
  private static final UUID DISK = new UUID(0xD15C, 1);
  private static final long SIZE = 1000;

  @TempDir Path directory;

  private TestMaster test;
  private TestMaster.Node node;
  private long disk;

  /** What the node's disk holds, by version. */
  private final Map<Long, DiskObject> held = new HashMap<>();

  private int starts;
  private int metadataLoops = 2;

  @BeforeEach
  void start() {
    test =
        TestMaster.start(
            TestMaster.config().dataDir(directory.toString()).metadataLoops(metadataLoops));
    node = test.node(1 + starts++, 1 << 20);
    disk = mountDisk();
  }

  @AfterEach
  void stop() {
    test.close();
  }

  private void restart() {
    test.close();
    start();
  }

  private long mountDisk() {
    node.segments()
        .add(
            new SegmentSpec(
                DISK,
                "disk",
                1 << 30,
                "host",
                List.of(new SegmentEndpoint("tcp", new byte[] {1})),
                SegmentKind.LOCAL_DISK));
    return node.mountAll().getLast().get();
  }

  private long incarnation() {
    return node.registration().incarnation();
  }

  private DiskWork work() {
    return test.call(
        Calls.TAKE_DISK_WORK,
        new TakeDiskWork(node.id(), incarnation(), disk, 0, true, 100, 8, 2000));
  }

  private List<Outcome<Void>> report(List<DiskObject> objects, boolean last) {
    return test.call(
        Calls.REPORT_DISK_OBJECTS,
        new ReportDiskObjects(node.id(), incarnation(), disk, objects, last));
  }

  /** Reports what the disk holds; tombstones what is dead. Answers what lives. */
  private List<String> scan() {
    List<DiskObject> objects = new ArrayList<>(held.values());
    List<Outcome<Void>> outcomes = report(objects, false);
    List<String> alive = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i).ok()) {
        alive.add(new String(objects.get(i).key(), StandardCharsets.UTF_8));
      } else {
        assertThat(outcomes.get(i).code()).isEqualTo(ErrorCode.INVALID_VERSION);
        held.remove(objects.get(i).version());
      }
    }
    report(List.of(), true);
    return alive;
  }

  /** Has everything offloaded that is to be, and settles it. */
  private void offload(int count) {
    int done = 0;
    while (done < count) {
      List<SettledOffload> settled = new ArrayList<>();
      for (OffloadTask task : work().offloads()) {
        DiskObject object = task.object();
        held.put(object.version(), object);
        settled.add(
            new SettledOffload(
                object.tenant(), object.key(), object.version(), task.replicaId(), true));
      }
      assertThat(settled).isNotEmpty();
      List<Outcome<Void>> outcomes =
          test.call(
              Calls.SETTLE_OFFLOADS, new SettleOffloads(node.id(), incarnation(), disk, settled));
      assertThat(outcomes).allMatch(Outcome::ok);
      done += settled.size();
    }
  }

  private void upsert(String key) {
    assertThat(test.end(key, test.upsertStart(SIZE, key).getFirst().get()).ok()).isTrue();
  }

  @Test
  void removedObjectsStayAwayAndTheOthersComeBack() {
    scan();
    test.put(SIZE, "a", "b", "c", "d", "e");
    offload(5);
    assertThat(test.remove("a", true).ok()).isTrue();
    assertThat(test.call(Calls.REMOVE_MATCHING, new RemoveMatching("", "^b$", true))).isOne();
    upsert("c");
    long epoch = test.master().stats().snapshot().objects();
    assertThat(epoch).isEqualTo(3);
    restart();
    assertThat(test.exists("d")).isFalse();
    assertThat(scan()).containsExactlyInAnyOrder("d", "e");
    assertThat(test.locate("d").get().size()).isEqualTo(SIZE);
    assertThat(test.exists("a") || test.exists("b") || test.exists("c")).isFalse();
    restart();
    assertThat(scan()).as("their tombstones are there").containsExactlyInAnyOrder("d", "e");
    assertThat(test.master().journal().stats().floors()).isZero();
  }

  @Test
  void whatIsRemovedBeforeTheDiskIsBackStaysAway() {
    scan();
    test.put(SIZE, "a", "b");
    offload(2);
    restart();
    assertThat(test.remove("a", false).code()).isEqualTo(ErrorCode.OBJECT_NOT_FOUND);
    test.put(SIZE, "b");
    restart();
    assertThat(scan()).isEmpty();
    assertThat(test.exists("a") || test.exists("b")).isFalse();
  }

  @Test
  void whatIsRemovedByPatternBeforeTheDiskIsBackStaysAway() {
    scan();
    test.put(SIZE, "a1", "a2", "b");
    offload(3);
    restart();
    assertThat(test.call(Calls.REMOVE_MATCHING, new RemoveMatching("", "^a", true)))
        .as("the disk is away")
        .isZero();
    test.put(SIZE, "a2", "a3");
    metadataLoops = 1;
    restart();
    assertThat(scan()).containsExactly("b");
    test.put(SIZE, "a2", "a3");
    offload(2);
    restart();
    assertThat(scan()).as("written later").containsExactlyInAnyOrder("a2", "a3", "b");
    assertThat(test.exists("a1")).isFalse();
  }

  @Test
  void whatARemovalByPatternHasPassedOverComesBack() {
    scan();
    test.put(SIZE, "a1", "a2");
    offload(2);
    restart();
    List<DiskObject> objects = List.copyOf(held.values());
    assertThat(report(objects, false)).allMatch(Outcome::ok);
    assertThat(test.locate("a2").ok()).as("leased from now on").isTrue();
    assertThat(test.call(Calls.REMOVE_MATCHING, new RemoveMatching("", "", false))).isOne();
    restart();
    assertThat(scan()).containsExactly("a2");
  }

  @Test
  void tombstonesEndFloors() {
    scan();
    test.put(SIZE, "a");
    offload(1);
    assertThat(test.remove("a", true).ok()).isTrue();
    List<DiskRecord> dead = work().dead();
    assertThat(dead).hasSize(1);
    assertThat(held).containsKey(dead.getFirst().version());
    test.call(Calls.ACK_TOMBSTONES, new AckTombstones(node.id(), incarnation(), disk, dead));
    // The next durable floor carries the acknowledgement with it.
    test.close();
    held.clear();
    start();
    await().until(() -> !test.master().journal().stats().equals(JournalStats.NONE));
    assertThat(test.master().journal().stats().floors()).isZero();
  }

  @Test
  void versionsGoOnWhenTheClockDoesNot() {
    test.put(SIZE, "a");
    long before = test.locate("a").get().version();
    restart();
    test.put(SIZE, "a");
    assertThat(test.locate("a").get().version()).isGreaterThan(before);
    restart();
    test.put(SIZE, "a");
    assertThat(test.locate("a").get().version()).isGreaterThan(before + 4096L * 1024 * 4096);
  }

  @Test
  void aSecondMasterIsRefusedTheDirectory() {
    assertThatThrownBy(
            () -> TestMaster.start(TestMaster.config().dataDir(directory.toString())).close())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("data_dir")
        .hasMessageContaining(Long.toString(ProcessHandle.current().pid()));
  }

  @Test
  void tenantsKeepTheirNumbers() {
    test.close();
    held.clear();
    MasterConfig.Builder two =
        TestMaster.config()
            .dataDir(directory.toString())
            .multiTenants(true)
            .tenants(List.of("x", "y"));
    TestMaster first = TestMaster.start(two);
    first.close();
    MasterConfig.Builder turned =
        TestMaster.config()
            .dataDir(directory.toString())
            .multiTenants(true)
            .tenants(List.of("z", "y", "x"));
    TestMaster second = TestMaster.start(turned);
    second.close();
    io.moonpool.master.journal.FileJournal.Opened opened =
        io.moonpool.master.journal.FileJournal.open(directory.resolve("journal"), 1, 0);
    assertThat(opened.state().tenants()).isEqualTo(Map.of(1, "x", 2, "y", 3, "z"));
    opened.journal().close();
    start();
    assertThat(
            report(
                List.of(
                    new DiskObject(
                        "",
                        "k".getBytes(StandardCharsets.UTF_8),
                        1,
                        1,
                        Checksum.NONE,
                        ObjectDataType.UNKNOWN,
                        false,
                        "")),
                false))
        .hasSize(1);
  }
}
