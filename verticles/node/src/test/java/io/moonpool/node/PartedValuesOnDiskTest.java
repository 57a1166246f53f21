package io.moonpool.node;

import static io.moonpool.node.Cluster.await;
import static io.moonpool.node.RoundTripTest.random;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.ObjectListing;
import io.moonpool.client.WriteOptions;
import io.moonpool.client.parts.LargeObjects;
import io.moonpool.client.parts.PartOptions;
import io.moonpool.client.parts.PartedUpload;
import io.moonpool.client.parts.ValueSize;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.node.disk.DiskConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values in parts in a pool in which some nodes have a disk and others have none. */
class PartedValuesOnDiskTest {
  private static final int PART = 1 << 20;
  private static final int VALUES = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private Cluster cluster;
  private MoonpoolClient client;
  private LargeObjects values;
  private final Set<UUID> withDisk = new HashSet<>();
  private final Map<Long, UUID> nodes = new HashMap<>();
  private final List<Node> diskless = new ArrayList<>();

  @BeforeEach
  void start() {
    cluster = new Cluster(directory);
    for (String name : List.of("a", "b")) {
      cluster.node(
          cluster.settings(name).disk(DiskConfig.in(directory.resolve("disk-" + name))).build());
    }
    for (String name : List.of("c", "d")) {
      diskless.add(cluster.node(name));
    }
    client = cluster.client();
    values = new LargeObjects(client, new PartOptions(PART, 2));
    for (SegmentInfo segment : await(client.segments())) {
      nodes.put(segment.generation(), segment.nodeId());
      if (segment.spec().kind() == SegmentKind.LOCAL_DISK) {
        withDisk.add(segment.nodeId());
      }
    }
    assertThat(withDisk).hasSize(2);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private static byte[] value(int number) {
    return random(2 * PART + 100, number);
  }

  private void put(String key, byte[] bytes) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment value = arena.allocate(bytes.length);
      value.copyFrom(MemorySegment.ofArray(bytes));
      PartedUpload upload = await(values.upload(key, WriteOptions.DEFAULT, false));
      for (long from = 0; from < bytes.length; from += PART) {
        await(upload.add(value.asSlice(from, Math.min(PART, bytes.length - from))));
      }
      await(upload.finish());
    }
  }

  private byte[] get(String key) {
    try (Arena arena = Arena.ofShared()) {
      var open = await(values.open(key));
      MemorySegment into = arena.allocate(open.size());
      await(open.read(0, into));
      return into.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    }
  }

  private List<ObjectInfo> objects() {
    List<ObjectInfo> all = new ArrayList<>();
    ObjectListing listing = client.list("", 1_000);
    while (!listing.isFinished()) {
      all.addAll(await(listing.nextPage()));
    }
    return all;
  }

  private boolean isBesideADisk(ReplicaDescriptor replica) {
    return withDisk.contains(nodes.get(replica.generation()));
  }

  private boolean isBesideADisk(ObjectInfo object) {
    return object.replicas().stream().anyMatch(this::isBesideADisk);
  }

  @Test
  void theListOfPartsIsWhereADiskKeepsItWithItsParts() {
    for (int i = 0; i < VALUES; i++) {
      put("v" + i, value(i));
    }
    List<ObjectInfo> before = objects();
    Set<String> keptParts = new HashSet<>();
    Set<String> whole = new HashSet<>();
    for (int i = 0; i < VALUES; i++) {
      String key = "v" + i;
      List<ObjectInfo> parts =
          before.stream().filter(object -> object.key().startsWith(key + ".part-")).toList();
      assertThat(parts).hasSize(3);
      if (parts.stream().anyMatch(this::isBesideADisk)) {
        keptParts.add(key);
        assertThat(isBesideADisk(await(client.describe(key)))).as(key).isTrue();
      }
      if (parts.stream().allMatch(this::isBesideADisk)) {
        whole.add(key);
      }
    }
    assertThat(keptParts).as("of so many values some have parts there").isNotEmpty();

    // What has no disk goes with its memory.
    diskless.forEach(cluster::close);

    for (String key : keptParts) {
      assertThat(await(client.describe(key)).size()).isPositive();
      if (whole.contains(key)) {
        assertThat(get(key)).isEqualTo(value(Integer.parseInt(key.substring(1))));
      }
      await(values.remove(key, true));
    }
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(objects())
                    .as("no part without its list")
                    .noneMatch(object -> object.key().contains(".part-")));
  }

  @Test
  void theSizeOfAValueInPartsIsThatOfTheWhole() {
    put("large", value(1));
    ObjectInfo list = await(client.describe("large"));
    assertThat(list.size()).isLessThan(PART);
    assertThat(await(values.size(list))).isEqualTo(new ValueSize(2 * PART + 100, 3));
    assertThat(await(values.size("large"))).isEqualTo(2 * PART + 100);
  }
}
